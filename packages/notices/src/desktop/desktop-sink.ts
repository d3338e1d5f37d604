import { AskError } from '@sandagent/core/internal'
import { headlineOf, titlesOf } from '../lib/notice-text.ts'
import type { NoticeSink } from '../notice.ts'

/** The program that shows a notice, and its arguments. What the agent wrote is never part of a command or a script. */
interface Shown {
  program: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
}

const BY_SYSTEM: Partial<Record<NodeJS.Platform, (title: string, text: string) => Shown>> = {
  darwin: (title, text) => ({
    program: 'osascript',
    args: ['-e', MAC_SCRIPT, title, text],
  }),
  win32: (title, text) => ({
    program: 'powershell.exe',
    args: ['-NoProfile', '-NonInteractive', '-Command', WINDOWS_SCRIPT],
    env: { SANDAGENT_TITLE: title, SANDAGENT_TEXT: text },
  }),
}

const MAC_SCRIPT = `on run argv
display notification (item 2 of argv) with title (item 1 of argv)
end run`

const WINDOWS_SCRIPT = `
$null = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$toast = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent(1)
$texts = $toast.GetElementsByTagName('text')
$null = $texts.Item(0).AppendChild($toast.CreateTextNode($env:SANDAGENT_TITLE))
$null = $texts.Item(1).AppendChild($toast.CreateTextNode($env:SANDAGENT_TEXT))
$app = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($app).Show([Windows.UI.Notifications.ToastNotification]::new($toast))`

/** Elsewhere: the program that desktops of Linux share. They read the text as markup. */
const byNotifySend = (title: string, text: string): Shown => ({
  program: 'notify-send',
  args: ['--app-name=SandAgent', '--', title, escaped(text)],
})

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * Shows notices on the desktop of this machine, for the user of this process: by `notify-send`, `osascript` or PowerShell.
 * People need no address. The system closes the notices by itself.
 */
export function createDesktopSink(): NoticeSink {
  const shown = BY_SYSTEM[process.platform] ?? byNotifySend
  return {
    async send(notice, { signal }) {
      const { execa } = await import('execa')
      const text = titlesOf(notice).join('\n') || 'Answer in the inbox, or with: sandagent answer'
      const { program, args, env = {} } = shown(headlineOf(notice), text)
      const {
        failed,
        code,
        stderr,
        shortMessage = '',
      } = await execa(program, args, {
        env,
        stdin: 'ignore',
        reject: false,
        cancelSignal: signal,
      })
      if (code === 'ENOENT')
        throw new AskError(
          'INVALID_REQUEST',
          `There is no program ${program} here. Install it, or leave the desktop out of the settings`,
        )
      if (failed) throw new AskError('UNREACHABLE', stderr || shortMessage)
      return undefined
    },
  }
}
