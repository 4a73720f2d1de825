import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { api } from '../support/sluice.ts'
import type { DashboardTest } from './support.ts'

/** Maximum number of Tab presses to a control; more are not acceptable to users. */
const stepsMax = 60

/** Presses Tab until the focused control has this name. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = []
  for (let step = 0; step < stepsMax; step++) {
    await page.keyboard.press('Tab')
    const focused = await nameOfFocus(page)
    passed.push(focused)
    if (typeof name === 'string' ? focused === name : name.test(focused)) return
  }
  assert.fail(`Tab does not reach ${name}; it passed ${passed.join(' | ')}`)
}

/** The accessible name of the focused control. */
export async function nameOfFocus(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { document } = globalThis as unknown as {
      readonly document: { readonly activeElement: Focused | null }
    }
    const focused = document.activeElement
    const label =
      focused?.getAttribute('aria-label') ??
      focused?.labels?.[0]?.textContent ??
      (focused?.getAttribute('placeholder') || focused?.textContent)
    return (label ?? '').trim()
  })
}

/** The members used here: browser types are not available in tests. */
interface Focused {
  readonly labels?: readonly { readonly textContent: string }[]
  readonly textContent: string
  getAttribute(name: string): string | null
}

/** Selects an option of the focused select with the keyboard. */
export async function choose(page: Page, option: string): Promise<void> {
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: option, exact: true }).waitFor()
  for (let step = 0; step < stepsMax; step++) {
    const active = await page
      .locator('[data-combobox-selected]')
      .textContent({ timeout: 500 })
      .catch(() => '')
    if (active?.trim() === option) {
      await page.keyboard.press('Enter')
      return
    }
    await page.keyboard.press('ArrowDown')
  }
  assert.fail(`the arrow keys do not reach ${option}`)
}

/** Repeats a request until the edge responds with the status: changes apply within a second on an idle machine. */
export function answersWith(
  { visit }: DashboardTest,
  path: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return eventually(async () => {
    const answer = await visit(path, headers)
    assert.equal(answer.status, status, `${path} is answered with ${answer.status} and not with ${status}`)
    return answer
  })
}

interface StoredRule {
  readonly id: string
  readonly action: string
  readonly description?: string
  readonly expression: string
  readonly enabled: boolean
  readonly action_parameters?: unknown
  readonly ratelimit?: unknown
}

/** The rules of a phase, from the API. */
export async function storedRules(
  { sluice, zoneId }: DashboardTest,
  phase: string,
): Promise<readonly StoredRule[]> {
  const path = `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`
  return (await api(sluice, 'GET', path)).result?.rules ?? []
}

export async function putRules(
  { sluice, zoneId }: DashboardTest,
  phase: string,
  rules: readonly object[],
): Promise<void> {
  const path = `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`
  const answer = await api(sluice, 'PUT', path, { rules })
  assert.deepEqual(answer.errors, [])
}

/** Reads until the value is as wanted: actions of a page take a moment. */
export function untilEqual<T>(read: () => Promise<T>, want: T): Promise<void> {
  return eventually(async () => assert.deepEqual(await read(), want))
}
