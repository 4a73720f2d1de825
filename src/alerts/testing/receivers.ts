import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { madeCertificate } from '../../kit/testing/certificates.ts'

/** A request to the webhook. */
export interface Posted {
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: suites look into bodies of every form
  readonly body: any
}

/** A webhook that answers with `status`. */
export async function webhookServer() {
  const posted: Posted[] = []
  const state = { status: 204 }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    posted.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
    response.writeHead(state.status).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { posted, state, url: `http://127.0.0.1:${port}/hook?key=s3cret`, close: () => server.close() }
}

/** An e-mail as the server got it. */
export interface Mail {
  readonly user: string
  readonly to: readonly string[]
  readonly text: string
}

/** An SMTP server with a self-signed certificate, for the user `sluice` with the password `p@ss`. */
export async function smtpServer() {
  const mails: Mail[] = []
  const { certificate: cert, key } = await madeCertificate(['mail.shop.test'])
  const server = new SMTPServer({
    cert,
    key,
    onAuth: ({ username, password }, _session, done) =>
      username === 'sluice' && password === 'p@ss'
        ? done(null, { user: username })
        : done(new Error('wrong password')),
    async onData(stream, { user, envelope }, done) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      const to = envelope.rcptTo.map(({ address }) => address)
      mails.push({ user: String(user), to, text: Buffer.concat(chunks).toString() })
      done()
    },
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const url = (password: string) => `smtp://sluice:${password}@127.0.0.1:${port}`
  return { mails, url: url('p%40ss'), wrongUrl: url('wrong'), close: () => server.close() }
}
