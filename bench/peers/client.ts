import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** One kept-alive connection, one request at a time. */
export class Client {
  readonly #socket: Socket
  #received = ''
  #answer: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => this.#take(text))
    socket.on('error', error => this.#answer?.reject(error))
    socket.on('close', () => this.#answer?.reject(new Error('the server closed the connection')))
  }

  static async connect(port: number): Promise<Client> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new Client(socket)
  }

  /** @returns the status, once the response is complete */
  send(request: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#received = ''
      this.#answer = { resolve, reject }
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#answer = undefined
    this.#socket.destroy()
  }

  #take(text: string): void {
    this.#received += text
    const end = this.#received.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(this.#received)?.[1] ?? 0)
    if (this.#received.length < end + 4 + length) return
    const answer = this.#answer
    this.#answer = undefined
    answer?.resolve(Number(this.#received.slice(9, 12)))
  }
}
