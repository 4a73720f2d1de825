import assert from 'node:assert/strict'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { api } from '../support/sluice.ts'
import { looksWell } from './looks.ts'
import { flows } from './support.ts'

/** Once a user has a password, the sign-in page asks for one: not where other suites sign in. */
const flow = flows({})

const password = 'correct horse battery'

async function invite(page: Page, email: string, role: string): Promise<string> {
  await page.getByRole('button', { name: 'Add member' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a member' })
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await dialog.getByRole('radio', { name: role }).check()
  await looksWell(page, 'members-add')
  await dialog.getByRole('button', { name: 'Add member' }).click()
  const shown = page.getByRole('dialog', { name: 'Hand over the invitation' })
  const link = (await shown.getByRole('region', { name: 'invitation' }).textContent()) ?? ''
  await shown.getByRole('button', { name: 'Done' }).click()
  return link.slice(link.indexOf('/invitation#'))
}

async function signIn(page: Page, secret: string): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill('ann@example.com')
  await page.locator('input[name=password]').fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function signOut(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Open navigation' })
  if (await menu.isVisible()) await menu.click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

flow('a member is invited, chooses a password, and stays signed in after a reload', async it => {
  const administrator = await it.page({ path: '/members' })
  const link = await invite(administrator, 'ann@example.com', 'Editor')
  await administrator.getByRole('grid', { name: 'Members' }).getByText('ann@example.com').waitFor()
  await looksWell(administrator, 'members')

  const page = await it.page({ token: false, path: link })
  await page.getByRole('heading', { name: 'Choose a password' }).waitFor()
  await looksWell(page, 'invitation')
  await page.getByLabel('New password', { exact: true }).fill('short')
  await page.getByText('7 more characters.').waitFor()
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Set password and sign in' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const second = await api(it.sluice, 'POST', '/accounts', { name: 'Second' })
  const membership = { email: 'ann@example.com', roles: ['33666b9c79b9a5273fc7344ff42f953d'] }
  await api(it.sluice, 'POST', `/accounts/${second.result.id}/members`, membership)
  await page.reload()
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.getByRole('combobox', { name: 'Account' }).selectOption('Second')
  await page.goto(new URL('/members', page.url()).href)
  await page.getByRole('grid', { name: 'Members' }).getByText('Super Administrator').first().waitFor()
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.getByRole('combobox', { name: 'Account' }).selectOption('Sluice')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.goto(new URL('/tokens?of=account', page.url()).href)
  await page.getByText('No permission to view account tokens').waitFor()
  await page.goto(new URL('/audit', page.url()).href)
  await page.getByRole('grid', { name: 'Changes' }).getByText('Session of a user').first().waitFor()
  await page.goto(new URL('/members', page.url()).href)
  await page.getByRole('grid', { name: 'Members' }).getByText('ann@example.com').waitFor()
  const add = page.getByRole('button', { name: 'Add member' })
  await eventually(async () => assert.equal(await add.getAttribute('aria-disabled'), 'true'))
  await signOut(page)
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await looksWell(page, 'sign-in-password')
  await signIn(page, 'a wrong password')
  await page.getByText('Unknown e-mail or wrong password.').waitFor()
  await signIn(page, password)
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()

  await page.goto(new URL('/your-sign-in', page.url()).href)
  await page.getByText('This session').waitFor()
  const factor = page.getByRole('region', { name: 'Two-factor authentication' })
  await factor.getByLabel('Current password', { exact: true }).fill(password)
  await factor.getByRole('button', { name: 'Set up an app' }).click()
  const secret = (await factor.getByRole('region', { name: 'secret' }).textContent()) ?? ''
  await factor.getByRole('img', { name: 'Secret for your authenticator app' }).waitFor()
  await looksWell(page, 'your-sign-in')
  const app = new TOTP({ secret, issuer: 'Sluice' })
  await factor.getByRole('textbox', { name: 'Code that the app shows' }).fill(app.generate())
  await factor.getByRole('button', { name: 'Turn on' }).click()
  const codes = page.getByRole('dialog', { name: 'Save the recovery codes' })
  const [code = ''] = (
    (await codes.getByRole('region', { name: 'recovery codes' }).textContent()) ?? ''
  ).split('\n')
  await codes.getByRole('button', { name: 'I have saved them' }).click()
  await factor.getByText('10 recovery codes are left.').waitFor()
  await signOut(page)
  await signIn(page, password)
  await page.getByRole('textbox', { name: 'One-time code' }).fill(code)
  await looksWell(page, 'sign-in-code')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Your sign-in' }).waitFor()
  await signOut(page)
})

flow('the sign-in page leads to the identity provider, and says why a sign-in there failed', async it => {
  const result = { password: true, identity_provider: true, signed_in: false }
  const json = { result, success: true, errors: [], messages: [] }
  const page = await it.page({
    token: false,
    path: '/sign-in?failed=no-role&to=/coverage',
    prepare: tab => tab.route('**/client/v4/sign_in', route => route.fulfill({ json })),
  })
  await page.getByText('Your groups at the identity provider give you no role here.').waitFor()
  const provider = page.getByRole('link', { name: 'Sign in with SSO' })
  assert.equal(await provider.getAttribute('href'), '/client/v4/sign_in/oidc?to=%2Fcoverage')
  await looksWell(page, 'sign-in-provider')
})
