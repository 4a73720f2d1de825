import type { Dataset } from '../dataset.ts'
import { fieldsOf } from './field-table.ts'

/** One field a line: name | type | description | source. */
const table = `
ActionResult | bool | Whether the change was made | true: only changes that were made are recorded
ActionType | string | Kind of the change | create, update, delete, or roll of a token's secret
ActorEmail | string | E-mail address of the actor | the user, or the user who made the token
ActorID | string | Identifier of the actor | id of the token or user
ActorIP | string | Address the request came from | peer address; behind trusted proxies the nearest untrusted address of X-Forwarded-For
ActorType | string | Kind of the actor | user, also for tokens; Cloudflare for changes that Sluice made by itself
ID | string | Identifier of the entry | generated for each entry; the same as in the audit trail of the API
Interface | string | Where the change came in | API
Metadata | object | Further details as names and values | method and path of the request, token_id of tokens, zone_id of changes in a zone
NewValue | object | The resource after the change | as the API shows it, without secrets; any other value as the member value of an object
OldValue | object | The resource before the change | the same
OwnerID | string | Identifier of the owner of the resource | id of the account
ResourceID | string | Identifier of the changed resource | id of the resource
ResourceType | string | Kind of the changed resource | zone, ruleset, list, list_item, token, logpush_job, shadow and so on
When | timestamp | When the change was made | clock of the process that made the change
`

/**
 * One record for each change made through the API, of the account and of its zones.
 * @source names and types: Cloudflare's log field reference for audit_logs; the wording is ours
 */
export const auditLogs: Dataset = {
  name: 'audit_logs',
  timeField: 'When',
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
