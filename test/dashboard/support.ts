import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { borrowBrowser, returnBrowser } from '../support/browser.ts'
import { inForce } from '../support/in-force.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { shared } from '../support/shared.ts'
import { api, discard, type Instance, startSluice, testCrs } from '../support/sluice.ts'
import { openTab, type PageOptions, type Tab } from './tab.ts'

/** Why the dashboard suites are skipped; false when they run. */
export const skip = existsSync(testCrs) ? false : 'needs an OWASP CRS release, and none was found'

interface SessionOptions extends PageOptions {
  /** Replaces the administrator's token; false opens the page without a session. */
  readonly token?: string | false
}

/** A running Sluice with a zone in front of an origin, and a browser for its dashboard. */
export interface DashboardTest {
  readonly sluice: Instance
  readonly browser: Browser
  readonly origin: Origin
  readonly accountId: string
  /** `shop.test`; the zone `localhost` with the sample site is there too. */
  readonly zoneId: string
  /**
   * Opens the dashboard with a session. There is one tab: a page that was opened before ends, and nothing that it
   * stored is left.
   */
  page(options?: SessionOptions): Promise<Page>
  /** Ends the page that is open. */
  leave(): Promise<void>
  /** Errors in the consoles of pages, including violations of their security policy. */
  readonly faults: string[]
  /** Sends a request to `shop.test` through the edge. */
  visit(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  close(): Promise<void>
}

export const zoneName = 'shop.test'

/**
 * Opens the dashboard before a suite and closes it after the last test.
 * @param settings see `openDashboard`
 * @returns registers one flow as a test. It fails on errors in a page's console; its page is closed at the end
 */
export function flows(
  settings?: Settings,
): (name: string, run: (dashboard: DashboardTest) => Promise<void>) => void {
  let dashboard: DashboardTest | undefined
  before(async () => {
    if (!skip) dashboard = await openDashboard(settings)
  })
  after(() => dashboard?.close())
  return (name, run) =>
    test(name, { skip }, async t => {
      if (dashboard === undefined) return t.skip('no Chromium starts here')
      try {
        await run(dashboard)
        assert.deepEqual(dashboard.faults.splice(0), [])
      } finally {
        await dashboard.leave()
        // Errors of a page that ends do not count for the next flow.
        dashboard.faults.length = 0
      }
    })
}

type Settings = Readonly<Record<string, string>>

/** A running Sluice, and a tab for its dashboard. */
interface Installation {
  readonly sluice: Instance
  readonly browser: Browser
  readonly tab: Tab
  /** API paths of the zones and tokens that are there from the start. */
  readonly paths: ReadonlySet<string>
}

/** A start takes as much CPU time as several flows. */
const common = shared(() => install({}), remove)

/**
 * Each suite has its own `shop.test`. The zones and tokens that it adds are deleted after it; all suites of the process
 * share the rest of the installation.
 * @param settings starts an installation for this suite alone, with these settings: for suites that look at whole
 * accounts, use any settings, even none
 * @returns undefined when Chromium does not start, with a message on standard error
 */
export async function openDashboard(settings?: Settings): Promise<DashboardTest | undefined> {
  const installation = await (settings === undefined ? common.borrow() : install(settings))
  const giveBack = () => (settings === undefined ? common.giveBack() : remove(installation))
  if (installation === undefined) {
    await giveBack()
    return undefined
  }
  const { sluice, browser, tab } = installation
  const origin = await startOrigin()
  const [account] = (await api(sluice, 'GET', '/accounts')).result
  const zone = await api(sluice, 'POST', '/zones', {
    name: zoneName,
    account: { id: account.id },
    origin: { url: origin.url },
  })
  const visit = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    visitServed(() => origin.through(sluice.edgePort, zoneName, path, { headers }))
  const session = { token: sluice.token, accountId: account.id, accountName: account.name, owner: 'user' }
  return {
    sluice,
    browser,
    origin,
    accountId: account.id,
    zoneId: zone.result.id,
    faults: tab.faults,
    page: ({ token, ...options } = {}) =>
      tab.open(
        token === false ? undefined : { ...session, ...(token === undefined ? {} : { token }) },
        options,
      ),
    leave: tab.leave,
    visit,
    async close() {
      await tab.leave()
      if (settings === undefined) await tidy(installation)
      await giveBack()
      await origin.close()
    },
  }
}

/** @returns undefined when Chromium does not start */
async function install(settings: Settings): Promise<Installation | undefined> {
  const browser = await borrowBrowser()
  if (browser === undefined) return undefined
  try {
    const sluice = await startSluice({ settings: { SLUICE_CRS: testCrs, ...settings } })
    const tab = await openTab(browser, new URL(sluice.apiUrl).origin)
    return { sluice, browser, tab, paths: new Set(await resources(sluice)) }
  } catch (error) {
    // An open browser keeps the test file from ending.
    returnBrowser()
    throw error
  }
}

async function remove(installation: Installation | undefined): Promise<void> {
  if (installation !== undefined) {
    await installation.tab.close()
    await discard(installation.sluice)
  }
  returnBrowser()
}

/** The next suite uses the same names, so the edge forgets its zones first. */
async function tidy({ sluice, paths }: Installation): Promise<void> {
  for (const path of await resources(sluice)) if (!paths.has(path)) await api(sluice, 'DELETE', path)
  await inForce(sluice)
}

async function resources(sluice: Instance): Promise<readonly string[]> {
  const lists = ['/zones', '/user/tokens'].map(async list => {
    const { result } = await api(sluice, 'GET', `${list}?per_page=50`)
    return result.map(({ id }: { id: string }) => `${list}/${id}`)
  })
  return (await Promise.all(lists)).flat()
}

/** A new zone takes a moment to reach the edge, which responds 404 until then; the origin's responses name the request. */
async function visitServed(ask: () => Promise<Response>): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const answer = await ask()
    if (answer.status !== 404 || tries === 50) return answer
    if ((await answer.clone().text()).startsWith('GET /')) return answer
    await sleep(100)
  }
}
