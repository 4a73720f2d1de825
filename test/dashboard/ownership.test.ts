import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { s3Credentials, startS3 } from '../support/s3-server.ts'
import { api } from '../support/sluice.ts'
import { axeViolations, screenshot } from './looks.ts'
import { type DashboardTest, flows, skip } from './support.ts'

const bucket = 'logs'
const s3 = skip ? undefined : await startS3([bucket])
after(() => s3?.close())

// As on a machine with a role: the process has credentials, and the destination has none.
const flow = flows({
  AWS_ACCESS_KEY_ID: s3Credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
  AWS_ENDPOINT_URL_S3: s3?.url ?? '',
})

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const answer = (page: Page) => page.getByRole('textbox', { name: 'Challenge' })

/** Writes the challenge and reads it from the bucket, as only its owner can. */
async function readChallenge(page: Page): Promise<string> {
  await button(page, 'Write challenge').press('Enter')
  const name = page.getByRole('status').locator('code')
  await name.waitFor()
  return (await s3!.read(bucket, (await name.textContent())!)).toString('utf8')
}

/** Goes to the last step and creates the job with the keyboard. */
async function create(page: Page): Promise<void> {
  await button(page, /^Review/).press('Enter')
  await button(page, 'Create job').press('Enter')
}

async function jobs({ sluice, zoneId }: DashboardTest) {
  return (await api(sluice, 'GET', `/zones/${zoneId}/logpush/jobs`)).result
}

flow('a bucket without keys is accepted from users who can read its challenge', async it => {
  const page = await it.page({ path: `/zones/${it.zoneId}/logpush/new` })
  await page.getByRole('textbox', { name: 'Bucket' }).fill(bucket)
  await page.getByRole('textbox', { name: 'Folder' }).fill('first/{DATE}')
  await page.getByRole('textbox', { name: 'Region' }).fill('us-east-1')
  await page.getByText('the next step verifies ownership', { exact: false }).waitFor()
  await button(page, /^Next: Ownership$/).click()
  await heading(page, 'Ownership').waitFor()

  s3!.refuses = () => ({ status: 403, code: 'AccessDenied' })
  await button(page, 'Write challenge').click()
  await page.getByText('Credentials rejected').waitFor()
  s3!.refuses = () => undefined
  const first = await readChallenge(page)

  // A wrong challenge text: the step explains the remedy, and so does the refused job.
  await answer(page).fill(`${first.slice(0, -4)}AAAA`)
  await button(page, 'Verify').press('Enter')
  const wrong = page.getByRole('alert').getByText(/^Wrong challenge\. Copy/)
  await wrong.waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await screenshot(page, 'ownership-wrong')
  await create(page)
  await page.getByRole('alert').getByText('Failed to save job').waitFor()
  assert.deepEqual(await axeViolations(page), [])
  assert.deepEqual(await jobs(it), [])
  await page.getByRole('link', { name: 'Go to Ownership' }).press('Enter')
  await answer(page).fill(`${first}\n`)
  await button(page, 'Verify').press('Enter')
  await page.getByText('Ownership verified.').waitFor()
  await screenshot(page, 'ownership-right')

  // A challenge is valid for one destination.
  await button(page, 'Destination').click()
  await page.getByRole('textbox', { name: 'Folder' }).fill('owned/{DATE}')
  await button(page, /^Review/).click()
  await page.getByText('Answer the ownership challenge.').waitFor()
  await page.getByRole('link', { name: 'Go to Ownership' }).click()
  await answer(page).fill(first)
  await button(page, 'Verify').click()
  await wrong.waitFor()
  await answer(page).fill(await readChallenge(page))
  await create(page)
  await heading(page, /^Job \d+$/).waitFor()
  const [job] = await jobs(it)
  assert.equal(job.destination_conf, 's3://logs/owned/{DATE}?region=us-east-1')
})

flow('a destination entered as text needs the challenge too', async it => {
  const page = await it.page({ path: `/zones/${it.zoneId}/logpush/new` })
  await page.getByRole('radio', { name: 'Custom' }).click()
  const conf = `s3://${bucket}/text?region=us-east-1&endpoint=${s3!.url}`
  await page.getByRole('textbox', { name: 'destination_conf' }).fill(conf)
  await button(page, /^Next: Ownership$/).click()
  await answer(page).fill(await readChallenge(page))
  await create(page)
  await heading(page, /^Job \d+$/).waitFor()
  assert.equal((await jobs(it)).at(-1).destination_conf, conf)
})
