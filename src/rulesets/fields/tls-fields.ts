import { neutralFields } from './neutral-values.ts'

const noTls = 'the edge speaks plain HTTP; TLS ends at the proxy before it'

/** TLS and client certificates. */
export const tlsFields = neutralFields(noTls, [
  ['cf.tls_version', 'String'],
  ['cf.tls_cipher', 'String'],
  ['cf.tls_client_hello_length', 'Integer'],
  ['cf.tls_client_random', 'String'],
  ['cf.tls_client_extensions_sha1', 'String'],
  ['cf.tls_client_extensions_sha1_le', 'String'],
  ['cf.tls_ciphers_sha1', 'String'],
  ['cf.tls_client_auth.cert_presented', 'Boolean'],
  ['cf.tls_client_auth.cert_verified', 'Boolean'],
  ['cf.tls_client_auth.cert_revoked', 'Boolean'],
  ['cf.tls_client_auth.cert_issuer_dn', 'String'],
  ['cf.tls_client_auth.cert_subject_dn', 'String'],
  ['cf.tls_client_auth.cert_issuer_dn_rfc2253', 'String'],
  ['cf.tls_client_auth.cert_subject_dn_rfc2253', 'String'],
  ['cf.tls_client_auth.cert_issuer_dn_legacy', 'String'],
  ['cf.tls_client_auth.cert_subject_dn_legacy', 'String'],
  ['cf.tls_client_auth.cert_serial', 'String'],
  ['cf.tls_client_auth.cert_issuer_serial', 'String'],
  ['cf.tls_client_auth.cert_fingerprint_sha256', 'String'],
  ['cf.tls_client_auth.cert_fingerprint_sha1', 'String'],
  ['cf.tls_client_auth.cert_not_before', 'String'],
  ['cf.tls_client_auth.cert_not_after', 'String'],
  ['cf.tls_client_auth.cert_ski', 'String'],
  ['cf.tls_client_auth.cert_issuer_ski', 'String'],
  ['cf.tls_client_auth.cert_rfc9440', 'String'],
  ['cf.tls_client_auth.cert_rfc9440_too_large', 'Boolean'],
  ['cf.tls_client_auth.cert_chain_rfc9440', 'String'],
  ['cf.tls_client_auth.cert_chain_rfc9440_too_large', 'Boolean'],
  ['cf.bot_management.ja3_hash', 'String'],
  ['cf.bot_management.ja4', 'String'],
])
