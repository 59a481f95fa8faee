import { parseJson, stringifyJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { apiErrorOf } from '../../sdk/engine/transport/refusal.js'
import type { Transport, TransportRequest, TransportResponse } from '../../sdk/engine/transport/transport.js'
import { targetOf, targetPath } from '../requests/request-target.js'
import { isKept } from './kept-objects.js'

interface CreatedObject {
  readonly uid: string
  readonly path: string
}

interface FailedDeletion {
  readonly object: CreatedObject
  readonly problem: string
}

/** The objects that a run created in a cluster, and that are deleted after it. */
export class CreatedObjects {
  readonly #transport: Transport
  /** By UID. */
  readonly #objects = new Map<string, CreatedObject>()

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Notes an object that the API server created. */
  add({ path }: TransportRequest, { body }: TransportResponse): void {
    const target = targetOf(path)
    if (target?.subresource !== '' || isKept(target)) return
    const { name = '', uid } = (parseJson(body) as Partial<KubeObject>).metadata ?? {}
    // A review, for example of permissions, is answered as created but not stored.
    if (uid) this.#objects.set(uid, { uid, path: targetPath({ ...target, name }) })
  }

  /** Deletes the objects, finalizers or not. Rejects if one of them cannot be deleted, once the others are. */
  async deleteAll(): Promise<void> {
    const left = await this.#delete([...this.#objects.values()])
    // A webhook refuses the changes of others until its own configuration is deleted.
    const failed = await this.#delete(left.map(({ object }) => object))
    if (failed.length === 0) return
    const problems = failed.map(({ object, problem }) => `${object.path}: ${problem}`)
    throw new Error(
      `delete these objects before the next run; this run could not:\n  ${problems.join('\n  ')}`,
    )
  }

  /** Returns the objects that it cannot delete. */
  async #delete(objects: readonly CreatedObject[]): Promise<FailedDeletion[]> {
    const results = await Promise.all(
      objects.map(async (object) => ({ object, problem: await this.#problemOfDeleting(object) })),
    )
    return results.flatMap(({ object, problem }) => (problem === undefined ? [] : [{ object, problem }]))
  }

  async #problemOfDeleting({ uid, path }: CreatedObject): Promise<string | undefined> {
    const finalizers = stringifyJson({ metadata: { uid, finalizers: null } })
    const preconditions = stringifyJson({ preconditions: { uid } })
    try {
      const patch = { method: 'PATCH', path, headers: mergePatch, body: finalizers } as const
      const patched = await this.#transport.request(patch)
      const deleted = await this.#transport.request({
        method: 'DELETE',
        path,
        headers: json,
        body: preconditions,
      })
      const refused = [deleted, patched].find(({ status }) => !isDone(status))
      return refused && apiErrorOf('the deletion', refused).message
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
}

const json = { 'content-type': 'application/json' }
const mergePatch = { 'content-type': 'application/merge-patch+json' }

/** An object of that UID may be gone (404), or another one may have its name (409). */
const isDone = (status: number): boolean =>
  (status >= 200 && status < 300) || status === 404 || status === 409
