/** Handles the failure of a start: calls `stop`, so that nothing keeps running, and throws the failure again. */
export const stopAndRethrow =
  (stop: () => Promise<void>) =>
  async (error: unknown): Promise<never> => {
    await stop()
    throw error
  }
