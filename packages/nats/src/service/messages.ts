import { JetStreamError, type Service } from './service.ts'

const NO_MESSAGE = 10037

export interface Message {
  sequence: number
  data: Buffer
}

/** The last message of a subject, as the stream’s leader knows it. */
export const lastMessage = (service: Service, stream: string, subject: string): Promise<Message | null> =>
  getMessage(service, stream, { last_by_subj: subject })

/** The first message of a subject from this sequence on. */
export const nextMessage = (
  service: Service,
  stream: string,
  subject: string,
  sequence: number,
): Promise<Message | null> => getMessage(service, stream, { next_by_subj: subject, seq: sequence })

async function getMessage(service: Service, stream: string, which: object): Promise<Message | null> {
  try {
    const { message } = await service.jetStream<{ message: { seq: number; data?: string } }>(
      `STREAM.MSG.GET.${stream}`,
      which,
    )
    return { sequence: message.seq, data: Buffer.from(message.data ?? '', 'base64') }
  } catch (error) {
    if (error instanceof JetStreamError && error.number === NO_MESSAGE) return null
    throw error
  }
}
