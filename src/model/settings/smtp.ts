import type { DeclarationOf } from './declaration.ts'
import { parseUrl } from './values.ts'

export interface SmtpSettings {
  /** URL, with user and password; undefined: no e-mails are sent. */
  readonly smtpUrl: string | undefined
  readonly smtpFrom: string | undefined
}

export const smtpSettings: readonly DeclarationOf<keyof SmtpSettings>[] = [
  {
    key: 'smtpUrl',
    variable: 'SLUICE_SMTP_URL',
    help: 'SMTP server that takes the e-mails of notifications',
    allowed:
      'smtp://USER:PASSWORD@HOST:PORT, which uses STARTTLS where the server has it and always for a password, or smtps:// for TLS from the start',
    default: undefined,
    needs: 'SLUICE_SMTP_FROM',
    parse: value => parseUrl(value, ['smtp:', 'smtps:']),
  },
  {
    key: 'smtpFrom',
    variable: 'SLUICE_SMTP_FROM',
    help: 'sender of these e-mails',
    allowed: 'an address, such as sluice@example.com',
    default: undefined,
    needs: 'SLUICE_SMTP_URL',
    parse: value => (/^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(value) ? value : undefined),
  },
]
