import type { CustomResourceDefinition } from 'vcluster-plugin-sdk'

/** The CustomResourceDefinition of cars. */
export const carDefinition: CustomResourceDefinition = {
  metadata: { name: 'cars.example.loft.sh' },
  spec: {
    group: 'example.loft.sh',
    scope: 'Namespaced',
    names: { plural: 'cars', singular: 'car', kind: 'Car', listKind: 'CarList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Type', type: 'string', jsonPath: '.spec.type' },
          { name: 'Seats', type: 'integer', jsonPath: '.spec.seats' },
          { name: 'Plate', type: 'string', jsonPath: '.status.plate' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['type', 'seats'],
                properties: {
                  type: { type: 'string', enum: ['BMW', 'Tesla', 'Audi'] },
                  seats: { type: 'integer', minimum: 1 },
                },
              },
              status: {
                type: 'object',
                properties: { delivered: { type: 'boolean' }, plate: { type: 'string' } },
              },
            },
          },
        },
      },
    ],
  },
}
