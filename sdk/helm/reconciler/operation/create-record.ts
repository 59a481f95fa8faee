import { type Secret, secrets } from '../../../engine/kube/builtin.js'
import { isAlreadyExists, isNotFound } from '../../../engine/kube/error.js'
import type { WrittenRelease } from '../../release/release-store.js'
import { isRecordOf, type StoredRelease, secretName } from '../../release/stored-release.js'
import { IrreconcilableError } from '../problem/problem.js'
import type { ReleaseRun } from '../run/release-run.js'

/**
 * Creates the record of a revision. Rejects with {@link IrreconcilableError} `NotOurs` if a Secret of another type has
 * its name. If another program created the record first, rejects with the error of the API server; the next run reads
 * that record.
 */
export async function createRecord(run: ReleaseRun, revision: StoredRelease): Promise<WrittenRelease> {
  try {
    return await run.store.create(revision, run.ctx.signal)
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
    const key = { namespace: run.release.namespace, name: secretName(revision.release) }
    const existing = await run.target.client.get(secrets, key, { signal: run.ctx.signal }).catch(ifNotFound)
    if (!existing || isRecord(run, existing)) throw error
    throw new IrreconcilableError(
      'NotOurs',
      `the Secret ${key.namespace}/${key.name} has the name of a record of the release, and the type ${existing.type} or other labels than a record of Helm; delete it`,
      { foreign: { objects: [{ resource: secrets, key }], release: `${key.namespace}/${run.release.name}` } },
    )
  }
}

/** Whether a Secret is read as a record of the release: by its type, name and labels. */
const isRecord = ({ release: { name } }: ReleaseRun, secret: Secret) =>
  isRecordOf(name, secret) && secret.metadata.labels?.owner === 'helm' && secret.metadata.labels.name === name

/** Handles an error of a read: returns undefined for "not found", throws any other. */
function ifNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error
}
