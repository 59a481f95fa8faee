import type { KubeObject, Resource } from 'vcluster-plugin-sdk'

/** A car: what its definition says of it, for the compiler. */
export interface Car extends KubeObject {
  spec?: { type: 'BMW' | 'Tesla' | 'Audi'; seats: number }
  /** Written on the host, by whoever looks after cars there. */
  status?: { delivered?: boolean; plate?: string }
}

/** example.loft.sh/v1 Car. */
export const cars: Resource<Car> = {
  group: 'example.loft.sh',
  version: 'v1',
  kind: 'Car',
  plural: 'cars',
  namespaced: true,
}
