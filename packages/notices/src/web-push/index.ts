export type { PushAnswer, PushMessage } from './push-message.ts'
export { createWebPush, type WebPush, type WebPushOptions } from './web-push.ts'
