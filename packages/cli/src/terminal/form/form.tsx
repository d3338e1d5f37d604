import { Box, Text, useCursor, useStdout } from 'ink'
import { type ReactElement, useEffect, useSyncExternalStore } from 'react'
import type { Screen } from './screen.ts'

/** How often the time that is left is brought up to date, in milliseconds. */
const TICK_MS = 1000

/** Draws the form. All lines fit already; Ink puts them in place and draws again what has changed. */
export function Form({ model }: { model: Screen }): ReactElement {
  const drawing = useSyncExternalStore(model.subscribe, model.getDrawing)
  const { setCursorPosition } = useCursor()
  const { write } = useStdout()
  setCursorPosition(drawing.cursor)
  useEffect(() => model.onWholeTexts(write), [model, write])
  useEffect(() => {
    const timer = setInterval(model.tick, TICK_MS)
    return () => clearInterval(timer)
  }, [model])
  return (
    <Box flexDirection="column">
      {drawing.lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its position
        <Text key={index} wrap="truncate">
          {line === '' ? ' ' : line}
        </Text>
      ))}
    </Box>
  )
}
