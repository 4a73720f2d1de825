import { fieldsOf, type HttpField } from './http-field.ts'
import { neutralFields, unknownScore } from './neutral-values.ts'

const unscored = 'Sluice has no such detection, and 100 means not scored'

/** Detections that only Cloudflare can run. Rules that use them are stored and do not match. */
export const detectionFields: readonly HttpField[] = [
  unknownScore(
    'cf.bot_management.score',
    99,
    'Sluice has no bot detection for rules, and 99 means certainly human, so that rules against low scores do not match',
  ),
  ...neutralFields('Sluice has no bot detection for rules', [
    ['cf.client.bot', 'Boolean'],
    ['cf.verified_bot_category', 'String'],
    ['cf.bot_management.verified_bot', 'Boolean'],
    ['cf.bot_management.static_resource', 'Boolean'],
    ['cf.bot_management.js_detection.passed', 'Boolean'],
    ['cf.bot_management.detection_ids', 'Array<Integer>'],
    ['cf.bot_management.corporate_proxy', 'Boolean'],
    ['cf.bot_management.signed_agent', 'Boolean'],
  ]),
  unknownScore('cf.waf.score', 100, unscored),
  unknownScore('cf.waf.score.sqli', 100, unscored),
  unknownScore('cf.waf.score.xss', 100, unscored),
  unknownScore('cf.waf.score.rce', 100, unscored),
  ...neutralFields('Sluice has no attack score; the OWASP ruleset has its own score', [
    ['cf.waf.score.class', 'String'],
  ]),
  ...fieldsOf([
    [
      'cf.waf.auth_detected',
      'Boolean',
      'Whether the request has credentials where the zone looks for them; false while leaked credential checks are off.',
      view => view.credentials?.detected ?? false,
    ],
  ]),
  ...fieldsOf([
    [
      'cf.waf.credential_check.password_leaked',
      'Boolean',
      'Whether their password is in the list of `SLUICE_LEAKED_PASSWORDS`; false without one.',
      view => view.credentials?.passwordLeaked ?? false,
    ],
  ]).map((field): HttpField => ({ ...field, needs: 'knowsLeakedPasswords' })),
  ...neutralFields('Sluice has a list of leaked passwords only, and not of user names', [
    ['cf.waf.credential_check.username_leaked', 'Boolean'],
    ['cf.waf.credential_check.username_and_password_leaked', 'Boolean'],
    ['cf.waf.credential_check.username_password_similar', 'Boolean'],
  ]),
  ...neutralFields('Sluice does not scan uploads for malware', [
    ['cf.waf.content_scan.has_obj', 'Boolean'],
    ['cf.waf.content_scan.has_malicious_obj', 'Boolean'],
    ['cf.waf.content_scan.has_failed', 'Boolean'],
    ['cf.waf.content_scan.num_obj', 'Integer'],
    ['cf.waf.content_scan.num_malicious_obj', 'Integer'],
    ['cf.waf.content_scan.obj_sizes', 'Array<Integer>'],
    ['cf.waf.content_scan.obj_types', 'Array<String>'],
    ['cf.waf.content_scan.obj_results', 'Array<String>'],
  ]),
  ...neutralFields('none of these detections runs, so none fails', [
    ['cf.appsec.request.failed_detections', 'Array<String>'],
  ]),
  unknownScore('cf.llm.prompt.injection_score', 100, unscored),
  ...neutralFields('Sluice does not detect prompts for language models', [
    ['cf.llm.prompt.detected', 'Boolean'],
    ['cf.llm.prompt.pii_detected', 'Boolean'],
    ['cf.llm.prompt.pii_categories', 'Array<String>'],
    ['cf.llm.prompt.unsafe_topic_detected', 'Boolean'],
    ['cf.llm.prompt.unsafe_topic_categories', 'Array<String>'],
    ['cf.llm.prompt.token_count', 'Integer'],
    ['cf.llm.prompt.custom_topic_categories', 'Map<Integer>'],
  ]),
  ...neutralFields('Sluice does not rate e-mail addresses', [['cf.fraud.email_risk', 'String']]),
]

/** Whether expressions with these fields ask about credentials. */
export function namesCredentials(fields: ReadonlySet<string>): boolean {
  for (const name of fields)
    if (name === 'cf.waf.auth_detected' || name.startsWith('cf.waf.credential_check.')) return true
  return false
}
