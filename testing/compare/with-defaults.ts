import omit from 'lodash/omit.js'
import pick from 'lodash/pick.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { namespaces, services } from '../../sdk/engine/kube/builtin.js'
import { type ApiError, isInvalid } from '../../sdk/engine/kube/error.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { withoutServerMetadata } from './server-metadata.js'
import { withoutAddresses, withStatedAddresses } from './service-allocations.js'

/** Whether a resource is one of a built-in kind. */
export const isKind = (resource: Resource, { group, plural }: Pick<Resource, 'group' | 'plural'>): boolean =>
  resource.group === group && resource.plural === plural

/** An object of a test, and what is in the cluster. */
export interface StatedObject {
  readonly resource: Resource
  readonly stated: KubeObject
  /** The object of that name in the cluster. */
  readonly actual: KubeObject
  /** The names that are taken in its namespace. */
  readonly takenNames: ReadonlySet<string>
}

/** An update keeps them, also if the test does not expect that the object is being deleted. */
const membersOfDeletion = ['deletionTimestamp', 'deletionGracePeriodSeconds'] as const

/**
 * The stated object with the API server's defaults. The API server creates it in a dry run, under another name because
 * the object exists. Some kinds allow only one name for an object: it is updated in a dry run.
 */
export async function withDefaults(client: Client, object: StatedObject): Promise<KubeObject> {
  const { resource, stated } = object
  const defaulted = await createdOrUpdated(client, object)
  const metadata = {
    ...omit(defaulted.metadata, membersOfDeletion),
    name: stated.metadata.name ?? '',
    ...pick(stated.metadata, ['ownerReferences', ...membersOfDeletion]),
  }
  const named = { ...defaulted, metadata, ...('status' in stated && { status: stated.status }) }
  return isKind(resource, services) ? withStatedAddresses(named, stated) : named
}

async function createdOrUpdated(client: Client, object: StatedObject): Promise<KubeObject> {
  // The API server writes the name of a Namespace into its labels.
  if (isKind(object.resource, namespaces)) return updated(client, object)
  try {
    return await createdAsAnother(client, object)
  } catch (error) {
    if (!isInvalid(error)) throw error
    return updated(client, object).catch((updateError: unknown) => {
      throw isAboutName(error) ? updateError : error
    })
  }
}

function createdAsAnother(client: Client, { resource, stated, takenNames }: StatedObject) {
  let name = 'expected'
  while (takenNames.has(name)) name += '-x'
  return client.create(resource, creatable(resource, stated, { name }), { dryRun: true })
}

function updated(client: Client, { resource, stated, actual }: StatedObject): Promise<KubeObject> {
  const { name = '', resourceVersion = '' } = actual.metadata
  return client.update(resource, creatable(resource, stated, { name, resourceVersion }), { dryRun: true })
}

/** The stated object as an API server creates it: without owners, and without addresses that are in use. */
function creatable(resource: Resource, stated: KubeObject, own: KubeObject['metadata']): KubeObject {
  const { ownerReferences: _, ...metadata } = withoutServerMetadata(stated.metadata)
  const object = { ...stated, metadata: { ...metadata, ...own } }
  return isKind(resource, services) ? withoutAddresses(object) : object
}

function isAboutName({ status }: ApiError): boolean {
  const { causes = [] } = status.details ?? {}
  return causes.some(({ field }) => field === 'metadata.name')
}
