import type { KubeObject, Resource } from 'vcluster-plugin-sdk'

/** The TypeScript type of a car, as in its definition. */
export interface Car extends KubeObject {
  spec?: { type: 'BMW' | 'Tesla' | 'Audi'; seats: number }
  /** Set on the host by the controller of cars. */
  status?: { delivered?: boolean; plate?: string }
}

/** The resource example.loft.sh/v1 Car. */
export const cars: Resource<Car> = {
  group: 'example.loft.sh',
  version: 'v1',
  kind: 'Car',
  plural: 'cars',
  namespaced: true,
}
