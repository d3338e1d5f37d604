import { answerOffline, cacheShell, forgetOldShells } from './shell.ts'

declare const self: ServiceWorkerGlobalScope

self.addEventListener('install', (event) => {
  event.waitUntil(cacheShell().then(() => self.skipWaiting()))
})
self.addEventListener('activate', (event) => {
  event.waitUntil(forgetOldShells().then(() => self.clients.claim()))
})
self.addEventListener('fetch', answerOffline)
