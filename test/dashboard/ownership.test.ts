import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { s3Credentials, startS3 } from '../support/s3-server.ts'
import { api } from '../support/sluice.ts'
import { axeViolations, type DashboardTest, flows, screenshot, skip } from './support.ts'

const bucket = 'logs'
const s3 = skip ? undefined : await startS3([bucket])
after(() => s3?.close())

// As on a machine with a role: the process may write, and nothing of it is in the destination.
const flow = flows({
  AWS_ACCESS_KEY_ID: s3Credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
  AWS_ENDPOINT_URL_S3: s3?.url ?? '',
})

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const answer = (page: Page) => page.getByRole('textbox', { name: 'Text of the challenge' })

/** Has the challenge written and reads it where only the owner of the bucket can. */
async function readChallenge(page: Page): Promise<string> {
  await button(page, 'Write the challenge').press('Enter')
  const name = page.getByRole('status').locator('code')
  await name.waitFor()
  return (await s3!.read(bucket, (await name.textContent())!)).toString('utf8')
}

/** Goes to the last step and makes the job, with the keyboard. */
async function create(page: Page): Promise<void> {
  await button(page, /^Review/).press('Enter')
  await button(page, 'Create the job').press('Enter')
}

async function jobs({ sluice, zoneId }: DashboardTest) {
  return (await api(sluice, 'GET', `/zones/${zoneId}/logpush/jobs`)).result
}

flow('a bucket without keys is taken from who can read the challenge there', async it => {
  const page = await it.page({ path: `/zones/${it.zoneId}/logpush/new` })
  await page.getByRole('textbox', { name: 'Bucket' }).fill(bucket)
  await page.getByRole('textbox', { name: 'Folder' }).fill('first/{DATE}')
  await page.getByRole('textbox', { name: 'Region' }).fill('us-east-1')
  await page.getByText('Nothing in it proves that the destination is yours', { exact: false }).waitFor()
  await button(page, /^Next: Ownership$/).click()
  await heading(page, 'Ownership').waitFor()

  s3!.refuses = () => ({ status: 403, code: 'AccessDenied' })
  await button(page, 'Write the challenge').click()
  await page.getByText('The credentials were refused').waitFor()
  s3!.refuses = () => undefined
  const first = await readChallenge(page)

  // Text that is not that of the challenge: what to do is said there, and where the job is refused.
  await answer(page).fill(`${first.slice(0, -4)}AAAA`)
  await button(page, 'Check it').press('Enter')
  const wrong = page.getByRole('alert').getByText(/^This is not the challenge of this destination\. Copy/)
  await wrong.waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await screenshot(page, 'ownership-wrong')
  await create(page)
  await page.getByRole('alert').getByText('The job was not written').waitFor()
  assert.deepEqual(await axeViolations(page), [])
  assert.deepEqual(await jobs(it), [])
  await page.getByRole('link', { name: 'Go to Ownership' }).press('Enter')
  await answer(page).fill(`${first}\n`)
  await button(page, 'Check it').press('Enter')
  await page.getByText('The destination is yours.').waitFor()
  await screenshot(page, 'ownership-right')

  // The text is good for exactly one destination.
  await button(page, 'Destination').click()
  await page.getByRole('textbox', { name: 'Folder' }).fill('owned/{DATE}')
  await button(page, /^Review/).click()
  await page.getByText('The ownership challenge is not answered.').waitFor()
  await page.getByRole('link', { name: 'Go to Ownership' }).click()
  await answer(page).fill(first)
  await button(page, 'Check it').click()
  await wrong.waitFor()
  await answer(page).fill(await readChallenge(page))
  await create(page)
  await heading(page, /^Job \d+$/).waitFor()
  const [job] = await jobs(it)
  assert.equal(job.destination_conf, 's3://logs/owned/{DATE}?region=us-east-1')
})

flow('a destination that was written as text is asked for it too', async it => {
  const page = await it.page({ path: `/zones/${it.zoneId}/logpush/new` })
  await page.getByRole('radio', { name: 'Something else' }).click()
  const conf = `s3://${bucket}/text?region=us-east-1&endpoint=${s3!.url}`
  await page.getByRole('textbox', { name: 'destination_conf' }).fill(conf)
  await button(page, /^Next: Ownership$/).click()
  await answer(page).fill(await readChallenge(page))
  await create(page)
  await heading(page, /^Job \d+$/).waitFor()
  assert.equal((await jobs(it)).at(-1).destination_conf, conf)
})
