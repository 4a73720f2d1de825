import assert from 'node:assert/strict'
import type { BrowserContext, Page, Response } from 'playwright-core'
import { answersWith } from './rules-support.ts'
import { type DashboardTest, flows, zoneName } from './support.ts'

/** The whole way, by hand: deploy, see an attack challenged, solve the challenge, find the event, make the exception. */
const flow = flows()

/** Generous: each step waits for what it needs, and machines are busy. */
const patienceMs = 60_000
const path = '/search'
/** As the dashboard’s own: rules find it in the URI and in the argument. */
const attack = `${path}?q=${encodeURIComponent(`1' UNION SELECT user,password FROM users--<script>alert(1)</script>../../etc/passwd;cat /etc/shadow`)}`

flow('from signing in to an exception, with a challenge solved on the way', async it => {
  const page = await it.page({ token: false })
  page.setDefaultTimeout(patienceMs)
  await signIn(page, it.sluice.token)
  await openZone(page)
  await deployByHand(page)
  const challenged = await answersWith(it, attack, 403)
  assert.equal(challenged.headers.get('cf-mitigated'), 'challenge')

  const visitor = await it.browser.newContext()
  const rayId = await solveChallenge(visitor, it)

  await findEvent(page, rayId)
  await makeException(page)
  // Nobody's clearance: there is no cookie, and the same client is still challenged elsewhere.
  await answersWith(it, attack, 200)
  const elsewhere = await it.visit(attack.replace(path, '/elsewhere'))
  assert.equal(elsewhere.headers.get('cf-mitigated'), 'challenge')
})

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token', { exact: true }).fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** From the overview to the home of the zone, as links lead. */
async function openZone(page: Page): Promise<void> {
  // Nothing has come yet: the overview says how to begin.
  await page.getByRole('region', { name: 'See it work' }).getByText('curl').first().waitFor()
  await page.getByRole('grid', { name: 'Zones' }).getByRole('link', { name: zoneName }).click()
  await page.getByRole('heading', { level: 1, name: zoneName }).waitFor()
}

const follow = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true }).click()

async function deployByHand(page: Page): Promise<void> {
  await follow(page, 'Managed ruleset')
  await page.getByRole('button', { name: 'Set it up' }).click()
  const choose = (group: string, label: string) =>
    page.getByRole('radiogroup', { name: group }).getByText(label, { exact: true }).click()
  await choose('Paranoia level', 'PL2')
  await choose('Score threshold', 'High 25')
  await page.getByRole('radio', { name: 'Managed Challenge' }).check()
  await page.getByText('Paranoia level: PL2. Threshold: High (25). Action: Managed Challenge.').waitFor()
  await page.getByRole('button', { name: 'Deploy', exact: true }).click()
  await page.getByText('in force at every edge').waitFor()
}

/** @returns the Ray ID of the request that was challenged */
async function solveChallenge(visitor: BrowserContext, { sluice }: DashboardTest): Promise<string> {
  const page = await visitor.newPage()
  page.setDefaultTimeout(patienceMs)
  const answers: Response[] = []
  page.on('response', answer => {
    if (new URL(answer.url()).pathname === path) answers.push(answer)
  })
  await page.goto(`http://${zoneName}:${sluice.edgePort}${attack}`)
  // What the origin answers, once the browser has done the work by itself.
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

/** Searches for it as somebody does whom a visitor sent the Ray ID, until it is recorded. */
async function findEvent(page: Page, rayId: string): Promise<void> {
  await follow(page, 'Events')
  await page.getByRole('button', { name: 'Add a filter' }).click()
  await page.getByLabel('Field').selectOption({ label: 'Ray ID' })
  await page.getByLabel('is exactly').fill(rayId)
  await page.keyboard.press('Enter')
  await page.waitForURL(/ray_id=/)
  await page.getByRole('button', { name: `Details of ${rayId}` }).click()
  await page.getByRole('heading', { name: /\d+ rules matched: score \d+, threshold 25$/ }).waitFor()
}

async function makeException(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Make an exception…' }).click()
  const drawer = page.getByRole('dialog', { name: 'Make an exception' })
  await drawer.getByText(/^This request would come to \d+ of 25, and go on\.$/).waitFor()
  await drawer.getByRole('list', { name: 'Examples' }).getByRole('listitem').first().waitFor()
  await drawer.getByRole('button', { name: 'Deploy the exception' }).click()
  await page.getByText('The exception is made').waitFor()
}
