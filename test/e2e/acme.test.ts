import assert from 'node:assert/strict'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { freePort } from '../../src/kit/testing/free-port.ts'
import { eventually } from '../support/eventually.ts'
import { miniCrs } from '../support/mini-crs.ts'
import { startPebble, withoutPebble } from '../support/pebble.ts'
import { api, discard, startSluice } from '../support/sluice.ts'

/** A port that leads to another one. */
function lead(from: number, to: number) {
  const server = createServer(socket => {
    const onward = connect(to, '127.0.0.1')
    socket.pipe(onward).pipe(socket)
    for (const end of [socket, onward]) end.on('error', () => end.destroy())
  })
  return new Promise<() => void>(resolve =>
    server.listen(from, '127.0.0.1', () => resolve(() => server.close())),
  )
}

/** Ends a handshake with a client that trusts one root. @throws unless the certificate is valid for the name */
function handshake(port: number, servername: string, ca: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ port, host: '127.0.0.1', servername, ca }, () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
}

test('zones get certificates by TLS-ALPN-01 where port 80 is closed, and by HTTP-01', {
  skip: withoutPebble,
}, async t => {
  const [checkedPort, tlsPort] = [await freePort(), await freePort()]
  const pebble = await startPebble(t, { httpPort: checkedPort, tlsPort })
  const data = await mkdtemp(join(tmpdir(), 'sluice-acme-'))
  const trusted = join(data, 'authority.pem')
  await writeFile(trusted, pebble.trusted)
  const sluice = await startSluice({
    data,
    settings: {
      SLUICE_CRS: await miniCrs(),
      SLUICE_EDGE_TLS_LISTEN: `127.0.0.1:${tlsPort}`,
      SLUICE_ACME_DIRECTORY: pebble.directory,
      SLUICE_ACME_CA: trusted,
      SLUICE_ACME_TERMS_AGREED: 'yes',
      SLUICE_ACME_EMAIL: 'team@shop.test',
    },
  })
  t.after(() => discard(sluice))
  const [account] = (await api(sluice, 'GET', '/accounts')).result
  for (const name of ['shop.test', 'blog.test']) {
    const zone = { name, account: { id: account.id }, origin: { url: 'http://127.0.0.1:1' } }
    assert.equal((await api(sluice, 'POST', '/zones', zone)).status, 200)
  }
  const root = await pebble.root()
  const served = (name: string) => eventually(() => handshake(tlsPort, name, root))

  await eventually(async () => {
    await assert.rejects(handshake(tlsPort, 'shop.test', root))
    assert.match(
      sluice.output(),
      /no certificate by ACME for shop\.test: the authority's check by http-01 failed/,
    )
  })
  // The next attempt is due in two minutes.
  const database = new DatabaseSync(join(data, 'sluice.db'))
  database.exec(`update acme_names set next_ms = 1 where name = 'shop.test'`)
  database.close()
  await served('shop.test')

  t.after(await lead(checkedPort, sluice.edgePort))
  await served('blog.test')
  assert.doesNotMatch(sluice.output(), /no certificate by ACME for blog\.test/)
})
