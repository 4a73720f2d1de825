import type { Dataset } from '../dataset.ts'
import { fieldsOf } from './field-table.ts'

/** One field a line: name | type | description | what fills it. */
const table = `
ActionResult | bool | Whether the change was made | true: only changes that were made are recorded
ActionType | string | What was done | create, update, delete, or roll of a token's secret
ActorEmail | string | E-mail address of whoever made the change | the user, or the user who made the token
ActorID | string | Identifier of whoever made the change | id of the token or user
ActorIP | string | Address the request came from | peer address; behind trusted proxies the nearest untrusted address of X-Forwarded-For
ActorType | string | Kind of whoever made the change | user, also for tokens; Cloudflare for what Sluice did by itself
ID | string | Identifier of the entry | made for each entry; the same as in the audit trail of the API
Interface | string | Where the change came in | API
Metadata | object | Further details as names and values | method and path of the request, token_id of tokens, zone_id of changes in a zone
NewValue | object | The resource after the change | as the API shows it, without secrets; anything but an object as the member value of one
OldValue | object | The resource before the change | the same
OwnerID | string | Identifier of whoever the change was made for | id of the account
ResourceID | string | Identifier of what was changed | id of the resource
ResourceType | string | Kind of what was changed | zone, ruleset, list, list_item, token, logpush_job, shadow and so on
When | timestamp | When the change was made | clock of the process that made the change
`

/**
 * One record for each change made through the API, of the account and of its zones.
 * @source names and types: Cloudflare's log field reference for audit_logs; the wording is our own
 */
export const auditLogs: Dataset = {
  name: 'audit_logs',
  scopes: ['account'],
  fields: fieldsOf(table),
  defaultFields: [
    'ActionResult',
    'ActionType',
    'ActorEmail',
    'ActorID',
    'ActorIP',
    'ActorType',
    'ID',
    'Interface',
    'Metadata',
    'NewValue',
    'OldValue',
    'OwnerID',
    'ResourceID',
    'ResourceType',
    'When',
  ],
}
