import { Counter } from 'prom-client'

const notifications = new Counter({
  name: 'sluice_notifications_total',
  help: 'Attempts of this process to send a notification, by outcome',
  labelNames: ['outcome'],
})

/** `given_up`: it was the last attempt. */
export function countNotification(outcome: 'sent' | 'failed' | 'given_up'): void {
  notifications.inc({ outcome })
}
