/**
 * Watches the outputs for errors. Returns a function that resolves when all that was written has left the process: a
 * pipe takes only 64 KiB at once. It throws the first error, but not that of a reader that has ended, as `head` does.
 */
export function watchOutputs(outputs: readonly NodeJS.WritableStream[]): () => Promise<void> {
  const errors: NodeJS.ErrnoException[] = []
  for (const output of outputs)
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') errors.push(error)
    })
  return async () => {
    await Promise.all(outputs.map(written))
    const [error] = errors.splice(0)
    if (error) throw error
  }
}

const written = (output: NodeJS.WritableStream) =>
  new Promise<void>((resolve) => {
    output.write('', () => resolve())
  })
