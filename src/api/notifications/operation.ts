import { operationsOf } from '../openapi/operation.ts'

export const notificationOperation = operationsOf('Notifications')
