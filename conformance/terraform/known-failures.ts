/** Steps that fail for a reason. A part of `docs/reference/coverage.md` is made from them, and any other failure fails the run. */
export interface KnownFailure {
  /** The beginning of the names of the steps: `ruleset/TestAccCloudflareRuleset_SkipRules/3.tf`. */
  readonly steps: string
  /** Whether `SLUICE_NOT_ENFORCED=keep` lets them pass. */
  readonly passesWhenKept: boolean
  /** A sentence for users. */
  readonly reason: string
}

const rulesetTest = 'ruleset/TestAccCloudflareRuleset_'
const noCache = 'The edge keeps no cache.'
const unnumbered =
  'The step names rules of the OWASP ruleset by ids of Cloudflare whose CRS numbers are not public.'
/** Fixtures of zone settings. */
const withoutEffect = ['http3', 'nel', 'number', 'on_off', 'ssl_recommender']
const noPageRules = 'Rulesets replace page rules.'

export const knownFailures: readonly KnownFailure[] = [
  kept('bot_management/all/1.tf', 'There is no bot management; the resource applies with its features off.'),
  kept('healthcheck/', 'The monitors of load balancers check servers; there are no other checks.'),
  kept('page_rule/', noPageRules),
  kept(`${rulesetTest}ExecuteRules/4.tf`, unnumbered),
  kept(`${rulesetTest}ExecuteRules/5.tf`, 'Denial-of-service protection has no separate rules.'),
  kept(`${rulesetTest}SetCacheControlRules/`, noCache),
  kept(`${rulesetTest}SetCacheSettingsRules/`, noCache),
  kept(`${rulesetTest}SetCacheTagsRules/`, noCache),
  kept(`${rulesetTest}SetConfigRules/`, 'The step sets features that change pages, images or buffers.'),
  kept(`${rulesetTest}SkipRules/3.tf`, unnumbered),
  ...withoutEffect.map(name =>
    kept(`zone_setting/${name}.tf`, 'The setting has no effect here with this value.'),
  ),
  {
    steps: 'custom_ssl/all: import',
    passesWhenKept: false,
    reason: 'The API returns neither certificate nor key, so the provider replaces the imported certificate.',
  },
  {
    steps: 'zone/zoneconfigwithtypevanitynameserverssetup.tf',
    passesWhenKept: false,
    reason: 'Sluice answers no DNS queries, so it has no name servers to name.',
  },
]

function kept(steps: string, reason: string): KnownFailure {
  return { steps, passesWhenKept: true, reason }
}

/**
 * The known failures of which no step failed, although steps ran: their rows are to be removed.
 * @param failed names of the steps that failed
 */
export function outlived(
  ran: readonly string[],
  failed: readonly string[],
  isKept: boolean,
): readonly KnownFailure[] {
  const names = (all: readonly string[], { steps }: KnownFailure) => all.some(step => step.startsWith(steps))
  return knownFailures.filter(
    known => !(known.passesWhenKept && isKept) && names(ran, known) && !names(failed, known),
  )
}

/** @param isKept whether the installation keeps what it does not enforce */
export function knownFailureOf(step: string, isKept: boolean): KnownFailure | undefined {
  return knownFailures.find(known => step.startsWith(known.steps) && !(known.passesWhenKept && isKept))
}
