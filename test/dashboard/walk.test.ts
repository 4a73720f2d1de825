import assert from 'node:assert/strict'
import type { BrowserContext, Page, Response } from 'playwright-core'
import { answersWith } from './rules-support.ts'
import { type DashboardTest, flows, zoneName } from './support.ts'

/** In the Chromium that comes with npm: machines without another one have it. The other flows run in the system's. */
process.env['SLUICE_TEST_CHROMIUM'] = 'packaged'

/**
 * The whole workflow: deploy, see an attack challenged, pass the challenge, find the event, create the exception. It
 * begins with a new installation.
 */
const flow = flows({})

/** Generous: each step waits for its condition, and machines are busy. */
const patienceMs = 60_000
const path = '/search'
/** Like the dashboard’s own attack: rules match it in the URI and in the argument. */
const attack = `${path}?q=${encodeURIComponent(`1' UNION SELECT user,password FROM users--<script>alert(1)</script>../../etc/passwd;cat /etc/shadow`)}`

flow('from signing in to an exception, with a passed challenge', async it => {
  const page = await it.page({ token: false })
  page.setDefaultTimeout(patienceMs)
  await signIn(page, it.sluice.token)
  await openZone(page)
  await deployByHand(page)
  const challenged = await answersWith(it, attack, 403)
  assert.equal(challenged.headers.get('cf-mitigated'), 'challenge')

  const visitor = await it.browser.newContext()
  const rayId = await solveChallenge(visitor, it)
  await visitor.close()

  await findEvent(page, rayId)
  await makeException(page)
  // Not due to a clearance: there is no cookie, and the same client is still challenged elsewhere.
  await answersWith(it, attack, 200)
  const elsewhere = await it.visit(attack.replace(path, '/elsewhere'))
  assert.equal(elsewhere.headers.get('cf-mitigated'), 'challenge')
})

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token', { exact: true }).fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** From the overview to the page of the zone, through links. */
async function openZone(page: Page): Promise<void> {
  // Without traffic, the overview shows the first steps.
  await page.getByRole('region', { name: 'Try it' }).getByText('curl').first().waitFor()
  await page.getByRole('grid', { name: 'Zones' }).getByRole('link', { name: zoneName }).click()
  await page.getByRole('heading', { level: 1, name: zoneName }).waitFor()
}

const follow = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true }).click()

async function deployByHand(page: Page): Promise<void> {
  await follow(page, 'Managed ruleset')
  await page.getByRole('button', { name: 'Set up ruleset' }).click()
  const choose = (group: string, label: string) =>
    page.getByRole('radiogroup', { name: group }).getByText(label, { exact: true }).click()
  await choose('Paranoia level', 'PL2')
  await choose('Score threshold', 'High 25')
  await page.getByRole('radio', { name: 'Managed Challenge' }).check()
  await page.getByText('Paranoia level: PL2. Threshold: High (25). Action: Managed Challenge.').waitFor()
  await page.getByRole('button', { name: 'Deploy', exact: true }).click()
  await page.getByText(/^Ruleset deployed \(version/).waitFor()
}

/** @returns the Ray ID of the challenged request */
async function solveChallenge(visitor: BrowserContext, { sluice }: DashboardTest): Promise<string> {
  const page = await visitor.newPage()
  page.setDefaultTimeout(patienceMs)
  const answers: Response[] = []
  page.on('response', answer => {
    if (new URL(answer.url()).pathname === path) answers.push(answer)
  })
  await page.goto(`http://${zoneName}:${sluice.edgePort}${attack}`)
  // The origin's response, after the browser passed the proof of work.
  await page.getByText(`GET ${path}`).waitFor()
  assert.deepEqual(
    answers.map(answer => answer.status()),
    [403, 200],
  )
  assert.ok((await visitor.cookies()).some(({ name }) => name === 'cf_clearance'))
  const headers = answers[0]!.headers()
  assert.equal(headers['cf-mitigated'], 'challenge')
  return (headers['ray-id'] ?? headers['cf-ray'] ?? '').slice(0, 16)
}

/** Searches for the Ray ID that a visitor reported, until it is recorded. */
async function findEvent(page: Page, rayId: string): Promise<void> {
  await follow(page, 'Events')
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByLabel('Field').selectOption({ label: 'Ray ID' })
  await page.getByLabel('equals').fill(rayId)
  await page.keyboard.press('Enter')
  await page.waitForURL(/ray_id=/)
  await page.getByRole('button', { name: `Details of ${rayId}` }).click()
  await page.getByRole('heading', { name: /\d+ rules matched: score \d+, threshold 25$/ }).waitFor()
}

async function makeException(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create exception…' }).click()
  const drawer = page.getByRole('dialog', { name: 'Create exception' })
  await drawer.getByText(/^With this exception: score \d+ of 25, allowed\.$/).waitFor()
  await drawer.getByRole('list', { name: 'Examples' }).getByRole('listitem').first().waitFor()
  await drawer.getByRole('button', { name: 'Deploy', exact: true }).click()
  await page.getByText('Exception deployed').waitFor()
}
