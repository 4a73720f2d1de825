/**
 * A page of the owner in place of one of the edge's own. The page was fetched when it was set, so that the edge never
 * fetches anything to answer a request.
 */
export interface CustomPage {
  readonly id: CustomPageId
  readonly state: CustomPageState
  /** As it was sent; null and empty texts come back as such. */
  readonly url: string | null
  /** HTML with its tokens; empty in state `default`. */
  readonly content: string
  readonly createdOn: string
  readonly modifiedOn: string
}

/** @source Cloudflare API, custom pages */
export const customPageStates = ['default', 'customized'] as const
export type CustomPageState = (typeof customPageStates)[number]

/** @source Cloudflare API, custom pages: the page types, by identifier */
export const customPageIds = [
  'basic_challenge',
  'country_challenge',
  'ip_block',
  'managed_challenge',
  'ratelimit_block',
  'under_attack',
  'waf_block',
  'waf_challenge',
  '500_errors',
  '1000_errors',
] as const
export type CustomPageId = (typeof customPageIds)[number]

/** Tokens that the edge replaces with HTML: the challenge itself, or what went wrong. */
export const boxTokens = [
  '::CAPTCHA_BOX::',
  '::CF_WIDGET_BOX::',
  '::IM_UNDER_ATTACK_BOX::',
  '::CLOUDFLARE_ERROR_500S_BOX::',
  '::CLOUDFLARE_ERROR_1000S_BOX::',
] as const
export type BoxToken = (typeof boxTokens)[number]

/** Tokens that the edge replaces with a value of the request. */
export const valueTokens = ['::CLIENT_IP::', '::RAY_ID::', '::GEO::'] as const
export type ValueToken = (typeof valueTokens)[number]

const challengeBoxes: readonly BoxToken[] = ['::CAPTCHA_BOX::', '::CF_WIDGET_BOX::']

/**
 * The token that a page must contain; of several, one.
 * @source Cloudflare docs, "Error tokens"
 */
export const requiredTokens: Readonly<Record<CustomPageId, readonly BoxToken[]>> = {
  basic_challenge: challengeBoxes,
  country_challenge: challengeBoxes,
  ip_block: [],
  managed_challenge: challengeBoxes,
  ratelimit_block: [],
  under_attack: ['::IM_UNDER_ATTACK_BOX::'],
  waf_block: [],
  waf_challenge: challengeBoxes,
  '500_errors': ['::CLOUDFLARE_ERROR_500S_BOX::'],
  '1000_errors': ['::CLOUDFLARE_ERROR_1000S_BOX::'],
}
