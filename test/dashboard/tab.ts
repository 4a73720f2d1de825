import type { Browser, Page } from 'playwright-core'
import { type Look, wear } from './looks.ts'

/**
 * One tab for all pages of an installation. Between them, a user signs out and the next one in. That forgets what a flow
 * did, as loading the dashboard does, and takes 60 % of its CPU time, because the scripts are compiled.
 */
export interface Tab {
  /** Errors in the consoles of pages, including violations of their security policy. */
  readonly faults: string[]
  /** Shows a page of the dashboard with nothing in the storage but this session. */
  open(session: Session | undefined, options: PageOptions): Promise<Page>
  /** Ends the page that is open, and what a flow did to the tab. */
  leave(): Promise<void>
  close(): Promise<void>
}

export interface Session {
  readonly token: string
  readonly accountId: string
  readonly accountName: string
  readonly owner: 'user'
}

export interface PageOptions extends Partial<Look> {
  /** Path below the dashboard's address; the overview by default. */
  readonly path?: string
  /** Runs before the page loads, for example to answer some of its calls. */
  prepare?(tab: Page): Promise<unknown>
  /** Loads the dashboard even if it is open, for flows that wait for the network. */
  readonly load?: boolean
}

/** Has the dashboard's storage, and no script. */
const restingPath = '/icon.svg'

/** @param address of the dashboard, without a path */
export async function openTab(browser: Browser, address: string): Promise<Tab> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: address })
  await context.addInitScript(sayRefusals)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', error => faults.push(`${page.url()}: ${error.stack ?? error.message}`))
  page.on('console', message => {
    // The browser logs refused requests itself; pages show them.
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return
    faults.push(`${page.url()}: ${message.text()}`)
  })
  const rest = `${address}${restingPath}`
  /** Whether a session is open, or has just ended: the sign-in page follows it. */
  let isLoaded = false
  const end = async () => {
    isLoaded = false
    if (page.url() !== rest) await page.goto(rest)
  }
  const leave = async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    if (!isLoaded || !(await page.evaluate(signOut))) return end()
    // A flow that failed can leave a page that does not go on.
    await page.locator(tokenField).waitFor({ timeout: 10_000 }).catch(end)
  }
  return {
    faults,
    leave,
    close: () => context.close(),
    async open(session, { path = '/', prepare, load = false, ...look }) {
      await leave()
      if (load || session === undefined) await end()
      await wear(page, look)
      const kept = isLoaded || session === undefined ? undefined : JSON.stringify(session)
      await page.evaluate(storeOnly, kept)
      await prepare?.(page)
      if (isLoaded && session !== undefined) await signIn(page, session.token, path)
      else await page.goto(`${address}${path}`)
      isLoaded = session !== undefined
      return page
    },
  }
}

const tokenField = 'input[name=token]'

/** @param path to which the sign-in leads */
async function signIn(page: Page, token: string, path: string): Promise<void> {
  await page.evaluate(follow, `/sign-in?${new URLSearchParams({ to: path })}`)
  await page.evaluate(fillIn, token)
  // As in a loaded page, a focus is then visible; after a click it is not.
  await page.keyboard.press('Enter')
  await page.locator(tokenField).waitFor({ state: 'detached' })
}

/** Runs in pages: follows a link of the dashboard. */
function follow(path: string): void {
  history.pushState({}, '', path)
  dispatchEvent(new PopStateEvent('popstate'))
}

/** Runs in pages: fills in the form of the sign-in page, for this tab. A flow does it by keyboard, which draws more frames. */
function fillIn(token: string): Promise<void> {
  const field = document.querySelector<HTMLInputElement>('input[name=token]')!
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, token)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  document.querySelector<HTMLInputElement>('input[type=checkbox]')!.click()
  field.focus()
  // React has the new state with its next task.
  return new Promise(resolve => setTimeout(resolve))
}

/** Runs in pages: presses the button behind anything that covers it. Returns whether the page is or will be signed out. */
function signOut(): boolean {
  if (document.querySelector('input[name=token]') !== null) return true
  const button = [...document.querySelectorAll('nav button')].find(one => one.textContent === 'Sign out')
  ;(button as HTMLElement | undefined)?.click()
  return button !== undefined
}

/** Runs in pages: stores a session as if the user had signed in and stayed signed in on this tab. */
function storeOnly(session: string | undefined): void {
  localStorage.clear()
  sessionStorage.clear()
  if (session !== undefined) sessionStorage.setItem('sluice.session', session)
}

/** Runs in pages: logs the element that the security policy refused. The browser’s own message only has a hash. */
function sayRefusals(): void {
  addEventListener('securitypolicyviolation', ({ violatedDirective, target }) => {
    const element = target instanceof Element ? target.outerHTML.slice(0, 300) : 'an element that is gone'
    console.error(`refused by ${violatedDirective}: ${element}`)
  })
}
