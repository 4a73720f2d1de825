/** Receivers that take messages in their own form. Sluice knows them by their host, as Cloudflare does. */
const types: ReadonlyMap<string, WebhookType> = new Map([
  ['hooks.slack.com', 'slack'],
  ['chat.googleapis.com', 'gchat'],
  ['discord.com', 'discord'],
])

export type WebhookType = 'slack' | 'gchat' | 'discord' | 'generic'

export function webhookType(url: string): WebhookType {
  return types.get(URL.parse(url)?.hostname ?? '') ?? 'generic'
}
