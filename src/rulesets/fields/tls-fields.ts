import { fieldsOf } from './http-field.ts'
import { neutralFields } from './neutral-values.ts'

const unknown = 'the edge does not ask for client certificates, and computes no hashes of hellos'

/** TLS of the client's connection. They are empty when a proxy in front of the edge speaks TLS. */
const known = fieldsOf([
  ['cf.tls_version', 'String', '`TLSv1.2` or `TLSv1.3`.', view => view.tls?.protocol ?? ''],
  ['cf.tls_cipher', 'String', 'OpenSSL’s name of the cipher.', view => view.tls?.cipher ?? ''],
  [
    'cf.tls_client_hello_length',
    'Integer',
    'Bytes of the ClientHello with its record heads.',
    view => view.tls?.helloBytes ?? 0,
  ],
  [
    'cf.tls_client_random',
    'String',
    'The 32 random bytes of the ClientHello, in base64.',
    view => view.tls?.clientRandom ?? '',
  ],
  [
    'cf.bot_management.ja4',
    'String',
    'The fingerprint JA4 of the TLS client, if `SLUICE_TLS_JA4` is `on`.',
    view => view.tls?.ja4 ?? '',
  ],
])

/** TLS and client certificates. */
export const tlsFields = [
  ...known,
  ...neutralFields(unknown, [
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
  ]),
]
