/**
 * Handles a failure: calls `stop`, so that nothing keeps running, and throws the failure again, also if `stop` rejects.
 */
export const stopAndRethrow =
  (stop: () => Promise<void>) =>
  async (error: unknown): Promise<never> => {
    await stop().catch(() => {})
    throw error
  }
