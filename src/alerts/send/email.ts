import type { Notification } from '../../model/notification.ts'
import { alertLimits } from '../limits.ts'
import { SendError } from './send-error.ts'

/** The server that takes e-mails. */
export interface SmtpSettings {
  /** `smtp://USER:PASSWORD@HOST:PORT`, or `smtps:` for TLS from the start. */
  readonly url: string
  /** Sender, such as `sluice@example.com`. */
  readonly from: string
}

const loopback = ['127.0.0.1', '[::1]', 'localhost']

/**
 * Hands an e-mail to the SMTP server. A password is only sent over TLS, or on this machine. The certificate is verified
 * unless the server is on this machine.
 * @throws SendError
 */
export async function sendEmail(
  { url, from }: SmtpSettings,
  to: string,
  notification: Notification,
): Promise<void> {
  const { protocol, hostname, port, username, password } = new URL(url)
  const isLocal = loopback.includes(hostname)
  // Loaded on use: most installations send no e-mail.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (protocol === 'smtps:' ? 465 : 587) : Number(port),
    secure: protocol === 'smtps:',
    // The mail server of a system has a self-signed certificate. Traffic of this machine does not leave it.
    tls: { rejectUnauthorized: !isLocal },
    requireTLS: username !== '' && !isLocal,
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: alertLimits.sendMsMax,
    greetingTimeout: alertLimits.sendMsMax,
    socketTimeout: alertLimits.sendMsMax,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({
      from,
      to: { name: '', address: to },
      subject: subjectOf(notification),
      text: textOf(notification),
      // So that programs do not answer it (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
      messageId: `<${notification.id}@sluice>`,
    })
  } catch (error) {
    throw new SendError(`the SMTP server ${hostname} does not take the e-mail: ${(error as Error).message}`, {
      cause: error,
    })
  } finally {
    transport.close()
  }
}

function subjectOf({ event, policyName }: Notification): string {
  return `[Sluice] ${event === 'ALERT_STATE_EVENT_END' ? 'Resolved: ' : ''}${policyName}`
}

function textOf({ text, policyDescription, data, createdOn }: Notification): string {
  const details = Object.entries(data).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const parts = [text, policyDescription, `${createdOn}\n${details.join('\n')}`]
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}
