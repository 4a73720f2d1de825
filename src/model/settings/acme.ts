import type { DeclarationOf } from './declaration.ts'
import { parseUrl } from './values.ts'

export interface AcmeSettings {
  /** URL; undefined: no certificates are ordered. */
  readonly acmeDirectory: string | undefined
  readonly acmeTermsAgreed: true | undefined
  readonly acmeEmail: string | undefined
  /** A file. */
  readonly acmeCa: string | undefined
  readonly acmeEabKid: string | undefined
  /** In base64url. */
  readonly acmeEabHmacKey: string | undefined
}

const text = (value: string) => (value === '' ? undefined : value)

export const acmeSettings: readonly DeclarationOf<keyof AcmeSettings>[] = [
  {
    key: 'acmeDirectory',
    variable: 'SLUICE_ACME_DIRECTORY',
    help: 'directory of a certificate authority that speaks ACME: names of zones without a certificate get one from there. The same value is set in every process of an installation',
    allowed: 'an https:// URL, such as https://acme-v02.api.letsencrypt.org/directory',
    default: undefined,
    needs: 'SLUICE_ACME_TERMS_AGREED',
    parse: value => parseUrl(value, ['https:']),
  },
  {
    key: 'acmeTermsAgreed',
    variable: 'SLUICE_ACME_TERMS_AGREED',
    help: 'you have read the terms of service of the certificate authority, and agree to them',
    allowed: 'yes',
    default: undefined,
    parse: value => (value === 'yes' ? true : undefined),
  },
  {
    key: 'acmeEmail',
    variable: 'SLUICE_ACME_EMAIL',
    help: 'address that the certificate authority writes to about problems',
    allowed: 'an e-mail address',
    default: undefined,
    needs: 'SLUICE_ACME_DIRECTORY',
    parse: value => (/^[^\s@,?]+@[^\s@,?]+$/.test(value) ? value : undefined),
  },
  {
    key: 'acmeCa',
    variable: 'SLUICE_ACME_CA',
    help: 'CA certificates that the directory URL is verified with, PEM, for a private certificate authority',
    allowed: 'a path',
    default: undefined,
    needs: 'SLUICE_ACME_DIRECTORY',
    parse: text,
  },
  {
    key: 'acmeEabKid',
    variable: 'SLUICE_ACME_EAB_KID',
    help: 'id of the key for external account binding, if the certificate authority demands it',
    allowed: 'a text',
    default: undefined,
    needs: 'SLUICE_ACME_EAB_HMAC_KEY',
    parse: text,
  },
  {
    key: 'acmeEabHmacKey',
    variable: 'SLUICE_ACME_EAB_HMAC_KEY',
    help: 'key for external account binding',
    allowed: 'base64url, as the certificate authority gives it',
    default: undefined,
    needs: 'SLUICE_ACME_EAB_KID',
    parse: value => (/^[A-Za-z0-9_-]{16,512}={0,2}$/.test(value) ? value : undefined),
  },
]
