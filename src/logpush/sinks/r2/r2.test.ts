import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseR2Settings } from './target.ts'

test('an r2:// destination is S3 at the account, path style', () => {
  const settings = parseR2Settings(
    'r2://logs/http/{DATE}?account-id=0a1b&access-key-id=K&secret-access-key=a+b%2F',
  )
  assert.deepEqual(settings, {
    ok: true,
    value: {
      bucket: 'logs',
      folder: 'http/{DATE}',
      region: 'auto',
      endpoint: 'https://0a1b.r2.cloudflarestorage.com',
      pathStyle: true,
      credentials: { accessKeyId: 'K', secretAccessKey: 'a+b/' },
      serverSideEncryption: undefined,
      manifest: false,
    },
  })
})

test('missing parameters are named', () => {
  const rows: [text: string, why: RegExp][] = [
    ['r2://logs/http', /form r2:\/\/BUCKET/],
    ['r2://?account-id=a', /must have the form r2:\/\/BUCKET/],
    ['r2://Logs?account-id=a&access-key-id=K&secret-access-key=S', /its bucket must have 3 to 63/],
    ['r2://logs?access-key-id=K&secret-access-key=S', /account-id=ACCOUNT/],
    ['r2://logs?account-id=a.b/&access-key-id=K&secret-access-key=S', /account-id=ACCOUNT/],
    ['r2://logs?account-id=a', /needs access-key-id/],
    ['r2://logs?account-id=a&access-key-id=K', /needs access-key-id/],
    ['r2://logs?account-id=a&access-key-id=K&secret-access-key=S&region=auto', /no parameter "region"/],
  ]
  for (const [text, why] of rows) {
    const settings = parseR2Settings(text)
    assert.ok(!settings.ok, text)
    assert.match(settings.problem.message, why)
  }
})
