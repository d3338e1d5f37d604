import { type ReactElement, useEffect, useRef } from 'react'
import { AddPhone } from './add-phone.tsx'
import { Grants } from './grants.tsx'
import { NoticeSettings } from './notice-settings.tsx'
import { Passkeys } from './passkeys.tsx'

/** What is rarely needed: loaded when it is opened. */
export default function Settings({ onClose }: { onClose: () => void }): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} className="help settings" aria-labelledby="settings-title" onClose={onClose}>
      <h2 id="settings-title">Settings</h2>
      <Grants />
      <Passkeys />
      <NoticeSettings />
      <AddPhone />
      <form method="dialog">
        <button type="submit" className="plain">
          Close
        </button>
      </form>
    </dialog>
  )
}
