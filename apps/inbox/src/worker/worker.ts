import type { PushMessage } from '@sandagent/notices/web-push'
import { openOrAnswer, showEnded, showQuestion } from './notices.ts'
import { answerOffline, cacheShell, forgetOldShells } from './shell.ts'

declare const self: ServiceWorkerGlobalScope

self.addEventListener('install', (event) => {
  event.waitUntil(cacheShell().then(() => self.skipWaiting()))
})
self.addEventListener('activate', (event) => {
  event.waitUntil(forgetOldShells().then(() => self.clients.claim()))
})
self.addEventListener('fetch', answerOffline)
self.addEventListener('push', (event) => {
  const message: PushMessage = event.data?.json()
  event.waitUntil(message.kind === 'question' ? showQuestion(message) : showEnded(message))
})
self.addEventListener('notificationclick', (event) => {
  event.waitUntil(openOrAnswer(event.notification, event.action))
})
