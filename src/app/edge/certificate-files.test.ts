import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { selfSignedCertificate } from '../../edge/index.ts'
import { certificateState, readCertificates } from './certificate-files.ts'
import { openCertificates } from './edge-certificates.ts'

const shop = await selfSignedCertificate(['shop.test'], new Date())
const blog = await selfSignedCertificate(['blog.test'], new Date())

async function folder(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'sluice-certificates-'))
  t.after(() => rm(path, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text)
  return path
}

test('keys are found in the same file, beside it, and where certbot keeps them', async t => {
  const layouts: Readonly<Record<string, string>>[] = [
    { 'shop.pem': `${shop.certificate}\n${shop.key}` },
    { 'shop.pem': `${shop.key}\n${shop.certificate}`, 'notes.txt': 'no certificate' },
    { 'shop.crt': shop.certificate, 'shop.key': shop.key },
    {
      'fullchain.pem': shop.certificate,
      'privkey.pem': shop.key,
      'cert.pem': shop.certificate,
      'chain.pem': blog.certificate,
    },
  ]
  for (const files of layouts) {
    const path = await folder(t, files)
    const pairs = await readCertificates([path])
    assert.equal(pairs.length, 1)
    assert.equal(pairs[0]!.key.trim(), shop.key.trim())
    const [first] = Object.keys(files)
    assert.equal((await readCertificates([join(path, first!)])).length, 1)
  }
})

test('files that cannot be used are named with the reason', async t => {
  const rows: [Readonly<Record<string, string>>, RegExp][] = [
    [{ 'shop.pem': shop.key }, /shop\.pem has no certificate in PEM/],
    [{ 'shop.pem': shop.certificate }, /shop\.pem has no private key, and no file beside it has one/],
    [{ 'shop.pem': shop.certificate, 'shop.key': blog.key }, /shop\.pem is the key of another certificate/],
    [
      { 'shop.pem': shop.certificate.replace('MII', 'AAA'), 'shop.key': shop.key },
      /of .*shop\.pem cannot be read/,
    ],
  ]
  for (const [files, reason] of rows) await assert.rejects(readCertificates([await folder(t, files)]), reason)
  const unreadable = await folder(t, { 'shop.pem': shop.certificate })
  await mkdir(join(unreadable, 'shop.key'))
  await assert.rejects(readCertificates([unreadable]), /shop\.key cannot be read: EISDIR/)
  await assert.rejects(readCertificates(['/nowhere/at.pem']), /\/nowhere\/at\.pem cannot be read: ENOENT/)
})

test('the state of the files changes with a certificate and with its key', async t => {
  const path = await folder(t, { 'shop.pem': shop.certificate, 'shop.key': shop.key })
  const before = await certificateState([path])
  assert.equal(await certificateState([path]), before)
  await writeFile(join(path, 'shop.key'), `${shop.key}\n`)
  assert.notEqual(await certificateState([path]), before)
})

test('a table has the certificates of the files, and the self-signed one for other names', async t => {
  const path = await folder(t, { 'shop.pem': `${shop.certificate}\n${shop.key}` })
  const { table, close } = await openCertificates({
    paths: [path],
    selfSigned: blog,
    store: { served: async () => [] },
    plans: { nearestZone: () => undefined },
    changes: { subscribe: () => () => {} },
    secret: 'secret',
    onError: error => assert.fail(String(error)),
  })
  t.after(close)
  assert.deepEqual(table.find('shop.test')?.names, ['shop.test'])
  assert.equal(table.find('shop.test')?.standsForAll, false)
  for (const name of ['www.shop.test', undefined]) assert.equal(table.find(name)?.standsForAll, true)
})
