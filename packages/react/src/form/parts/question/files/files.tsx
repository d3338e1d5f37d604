import { type Attachment, filesTaken, questionTitle } from '@sandagent/core/internal'
import { type ReactElement, useRef, useState } from 'react'
import { englishFileLabels, type FileLabels } from '../../../labels/file-labels.ts'
import type { QuestionPartProps } from '../../../state/ask-form.ts'
import { Thumbnail } from './thumbnail.tsx'
import { LIST, NAME, ROW, UploadRows } from './upload-rows.tsx'
import { useFileEvents } from './use-file-events.ts'
import { addFiles, storedFiles, useUploads } from './use-uploads.ts'

export { FormUploads } from './form-uploads.tsx'

export interface FilesProps extends QuestionPartProps {
  /** Shows what was given, and takes nothing. */
  isGiven?: true
}

/** The files of an answer: to give them while the question waits, and to look at them afterwards. */
export function Files({ isGiven, ...props }: FilesProps): ReactElement | null {
  const { form, question } = props
  if (!isGiven) return <GiveFiles {...props} />
  const files = storedFiles(form.ask.responses, question)
  if (files.length === 0) return null
  const labels: FileLabels = { ...englishFileLabels, ...form.labels }
  return (
    <ul style={{ ...LIST, flexBasis: '100%' }} aria-label={labels.files}>
      {files.map((file) => (
        <li key={file.sha256} style={ROW}>
          <StoredFile file={file} form={form} labels={labels} />
        </li>
      ))}
    </ul>
  )
}

function StoredFile({
  file,
  form,
  labels,
}: Pick<QuestionPartProps, 'form'> & { file: Attachment; labels: FileLabels }): ReactElement {
  return (
    <>
      <Thumbnail file={file} form={form} labels={labels} />
      <span style={NAME}>
        <bdi>{file.name}</bdi> <small className="sa-hint">{labels.fileSize(file.size)}</small>
      </span>
    </>
  )
}

/** Where a person gives files: chosen, photographed, pasted or dropped. */
function GiveFiles({ form, question }: QuestionPartProps): ReactElement | null {
  const { ask, components } = form
  const group = useRef<HTMLFieldSetElement>(null)
  const choose = useRef<HTMLInputElement>(null)
  const photograph = useRef<HTMLInputElement>(null)
  const [removed, setRemoved] = useState('')
  const all = useUploads(form)
  const { labels } = all
  const files = storedFiles(ask.entered, question)
  const shown = all.uploads.filter((upload) => upload.question === question.id && !upload.stored)
  // Bytes go by HTTP. Where a transport takes its place, the page says where they go.
  const { transport, answerEndpoint } = form.options
  const isReachable = !transport || answerEndpoint !== undefined
  const canTake = ask.isEditable && ask.view?.takesFiles === true && isReachable
  const add = (given: readonly File[]): void => addFiles(all, form, question, given)
  const isOver = useFileEvents(group, canTake, add)
  const taken = filesTaken(question)
  if (!taken) return null
  if (ask.view && !canTake && files.length === 0 && ask.isEditable)
    return <p className="sa-hint">{labels.filesNotTaken}</p>
  const accept = taken.types.join(',')
  const adding = taken.max === 1 ? labels.addFile : labels.addFiles
  const limits = labels.fileLimits(taken.max, labels.fileSize(taken.maxBytes), taken.types)
  const takesImages = taken.types.length === 0 || taken.types.some((type) => type.startsWith('image/'))
  const picked = (input: HTMLInputElement): void => {
    add([...(input.files ?? [])])
    // The same file can be chosen again.
    input.value = ''
  }
  // Removing leads on to where files are added.
  const focusAdding = (): void => group.current?.querySelector<HTMLElement>('[data-adds]')?.focus()
  const remove = (file: Attachment): void => {
    ask.enter(question.id, { files: files.filter((each) => each !== file) })
    setRemoved(labels.fileRemoved(file.name))
    focusAdding()
  }
  return (
    <fieldset
      ref={group}
      aria-label={labels.files}
      disabled={!canTake}
      style={{
        border: `1px dashed ${isOver ? 'var(--_accent)' : 'var(--_edge)'}`,
        background: isOver ? 'var(--_accent-soft)' : undefined,
        borderRadius: 'var(--_radius)',
        padding: '0.75rem',
        margin: 0,
        minInlineSize: 0,
        display: 'grid',
        gap: '0.625rem',
      }}
    >
      {(files.length > 0 || shown.length > 0) && (
        <ul style={LIST} aria-label={labels.files}>
          {files.map((file) => (
            <li key={file.sha256} style={ROW}>
              <StoredFile file={file} form={form} labels={labels} />
              <components.Button
                look="quiet"
                aria-label={labels.removeFile(file.name)}
                onClick={() => remove(file)}
              >
                ×
              </components.Button>
            </li>
          ))}
          <UploadRows {...all} shown={shown} Button={components.Button} onDismissed={focusAdding} />
        </ul>
      )}
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: '0.5rem', alignItems: 'center' }}>
        <components.Button data-adds="" onClick={() => choose.current?.click()}>
          {adding}
        </components.Button>
        {takesImages && isPhone() && (
          <components.Button onClick={() => photograph.current?.click()}>
            {labels.takePhoto}
          </components.Button>
        )}
        <input
          ref={choose}
          type="file"
          hidden
          tabIndex={-1}
          aria-label={form.labels.about(adding, questionTitle(question))}
          multiple={taken.max > 1}
          accept={accept}
          onChange={({ currentTarget }) => picked(currentTarget)}
        />
        {takesImages && (
          <input
            ref={photograph}
            type="file"
            hidden
            tabIndex={-1}
            aria-label={labels.takePhoto}
            accept="image/*"
            capture="environment"
            onChange={({ currentTarget }) => picked(currentTarget)}
          />
        )}
      </div>
      <p className="sa-hint" dir="auto" style={{ margin: 0 }}>
        {[limits, labels.fileHint, !isPhone() && labels.pasteOrDrop].filter(Boolean).join('. ')}
      </p>
      <p className="sa-hidden" role="status">
        {removed}
      </p>
    </fieldset>
  )
}

/** Whether the person has no mouse: there is a camera at hand, and nothing to drop. */
const isPhone = (): boolean => globalThis.matchMedia?.('(pointer: coarse)').matches ?? false
