import type { CaseClient } from './case-client.js'
import { definitionOf, isStoredAgain } from './custom-resource.js'
import { listenForReviews } from './webhook-server.js'

/** An object of the two versions of {@link withConversion}. */
export interface Car {
  apiVersion: string
  metadata: { name?: string; labels?: object; [field: string]: unknown }
  spec: { size?: string; width?: number; height?: number; [field: string]: unknown }
  [field: string]: unknown
}

/** The request of an API server to a conversion webhook. */
export interface ConversionRequest {
  readonly uid: string
  readonly desiredAPIVersion: string
  readonly objects: readonly Car[]
}

/** A custom resource `cars` with the versions `v1beta1` and `v1`, converted by a webhook. */
export interface ConvertedResource {
  readonly group: string
  readonly definition: string
  path(name: string, version?: string): string
  /** An object of `v1beta1`, with `spec.size` as `WxH`. */
  beta(name: string, size: string): Car
  /** An object of `v1`, with `spec.width` and `spec.height`. */
  stable(name: string, width: number, height: number): Car
  /** The requests of the server, in their order. */
  readonly requests: ConversionRequest[]
  /** Replaces how the webhook answers; undefined members are those of a success. */
  answer: (converted: readonly Car[], request: ConversionRequest) => object | undefined
  /** Members of the review around the response; default those of `v1`. */
  review: object
  /** The versions of the reviews of {@link requests}. */
  readonly reviewVersions: string[]
  /** Makes another version the storage version. */
  storeAs(version: string): Promise<void>
}

const number = { type: 'integer' }
const status = { type: 'object', properties: { replicas: number } }
const schemaOf = (properties: object) => ({
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties }, status } },
})
const schemas = {
  v1beta1: schemaOf({ size: { type: 'string' }, replicas: number }),
  v1: schemaOf({ width: number, height: number, color: { type: 'string' }, replicas: number }),
}
const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }

/** Defines the resource, and removes its webhook after `run`. */
export async function withConversion(
  client: CaseClient,
  storage: string,
  run: (cars: ConvertedResource) => Promise<void>,
): Promise<void> {
  const cars = resourceOf(client)
  const server = await listenForReviews((_path, review) => answered(cars, review as Review))
  const clientConfig = { url: server.url, caBundle: server.caBundle }
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } }
  try {
    const body = definitionOf(client, { versions: versionsOf(storage) }) as { spec: object }
    await client.make('customresourcedefinitions', { ...body, spec: { ...body.spec, conversion } })
    await client.until('both versions are served', async () => {
      const answers = await Promise.all(
        ['v1', 'v1beta1'].map((version) => client.get(cars.path('', version))),
      )
      return answers.every((answer) => answer.status === 200)
    })
    // A server fills the caches of a new resource a moment later, and answers 429 or 503 until then.
    await client.until('objects can be written', async () => {
      const { status } = await client.post(`${cars.path('')}?dryRun=All`, cars.stable('first', 1, 1))
      return status === 201
    })
    cars.requests.length = 0
    await run(cars)
  } finally {
    await client.patch(`customresourcedefinitions/${cars.definition}`, 'merge', {
      spec: { conversion: { strategy: 'None', webhook: null } },
    })
    await server.close()
  }
}

const versionsOf = (storage: string) =>
  Object.entries(schemas).map(([name, schema]) => ({
    name,
    served: true,
    storage: name === storage,
    schema,
    subresources: { status: {}, scale },
  }))

function resourceOf(client: CaseClient): ConvertedResource {
  const group = `${client.namespace}.example.com`
  const definition = `cars.${group}`
  const car = (name: string, version: string, spec: Car['spec']): Car => ({
    apiVersion: `${group}/${version}`,
    kind: 'Car',
    metadata: { name },
    spec,
  })
  const resource: ConvertedResource = {
    group,
    definition,
    path: (name, version = 'v1') =>
      `/apis/${group}/${version}/namespaces/${client.namespace}/cars${name === '' ? '' : `/${name}`}`,
    beta: (name, size) => car(name, 'v1beta1', { size }),
    stable: (name, width, height) => car(name, 'v1', { width, height }),
    requests: [],
    review: {},
    reviewVersions: [],
    answer: () => undefined,
    async storeAs(version) {
      const reference = `customresourcedefinitions/${definition}`
      const probe = resource.path('probe')
      await client.make(resource.path(''), resource.stable('probe', 1, 1))
      await client.patch(reference, 'merge', { spec: { versions: versionsOf(version) } })
      // A server replaces its handler of the resource a moment later, and answers 429 while its caches are filled.
      await client.until('objects are stored in the version', () => isStoredAgain(client, probe))
      await client.delete(probe)
      await client.until('both versions are served again', async () => {
        const answers = await Promise.all(
          ['v1', 'v1beta1'].map((each) => client.get(resource.path('', each))),
        )
        return answers.every((answer) => answer.status === 200)
      })
    },
  }
  return resource
}

interface Review {
  readonly apiVersion: string
  readonly request: ConversionRequest
}

function answered(cars: ConvertedResource, { apiVersion, request }: Review): object {
  cars.requests.push(request)
  cars.reviewVersions.push(apiVersion)
  const convertedObjects = request.objects.map((car) => converted(car, request.desiredAPIVersion))
  const response = {
    uid: request.uid,
    result: { status: 'Success' },
    convertedObjects,
    ...cars.answer(convertedObjects, request),
  }
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response, ...cars.review }
}

/** The same car in the other version; what that cannot hold is in an annotation. */
function converted(car: Car, apiVersion: string): Car {
  if (car.apiVersion === apiVersion) return car
  const { size = '', width = 0, height = 0, color, ...rest } = car.spec ?? {}
  if (apiVersion.endsWith('/v1beta1')) {
    const annotations = color === undefined ? {} : { annotations: { color } }
    return {
      ...car,
      apiVersion,
      metadata: { ...car.metadata, ...annotations },
      spec: { ...rest, size: `${width}x${height}` },
    }
  }
  const [first = '0', second = '0'] = String(size).split('x')
  const { annotations, ...metadata } = car.metadata as Car['metadata'] & { annotations?: { color?: string } }
  const { color: kept, ...others } = annotations ?? {}
  return {
    ...car,
    apiVersion,
    metadata: { ...metadata, ...(Object.keys(others).length === 0 ? {} : { annotations: others }) },
    spec: {
      ...rest,
      width: Number(first),
      height: Number(second),
      ...(kept === undefined ? {} : { color: kept }),
    },
  }
}
