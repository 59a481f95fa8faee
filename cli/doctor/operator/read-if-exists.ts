import { isNotFound } from '../../../sdk/engine/kube/error.js'

/** The result of a read; undefined if the object does not exist. */
export async function readIfExists<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
