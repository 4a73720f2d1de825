import { startS3 } from '../support/s3-server.ts'

/** An S3 server that listens at every address of its machine. */
const [bucket, port] = process.argv.slice(2)
await startS3([bucket!], { host: '0.0.0.0', port: Number(port) })
console.log('s3 ready')
