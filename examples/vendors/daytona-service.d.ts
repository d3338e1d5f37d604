/** What is used of the class `Sandbox` of `@daytona/sdk`. That package takes 100 MB, so it is not installed here. */
export interface DaytonaService {
  id: string
  fs: { uploadFile(bytes: Buffer, path: string): Promise<void> }
  process: {
    createSession(id: string): Promise<void>
    deleteSession(id: string): Promise<void>
    executeSessionCommand(
      session: string,
      request: { command: string; runAsync: boolean },
    ): Promise<{ cmdId?: string }>
    getSessionCommandLogs(
      session: string,
      command: string,
      onStdout: (text: string) => void,
      onStderr: (text: string) => void,
    ): Promise<void>
  }
}
