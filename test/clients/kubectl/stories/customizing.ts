import { kubectl, type Story } from '../command.js'

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.kubectl.example.com }
spec:
  group: kubectl.example.com
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget, shortNames: [wd], categories: [all] }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {}, scale: { specReplicasPath: .spec.size, statusReplicasPath: .status.size } }
      additionalPrinterColumns:
        - { name: Size, type: integer, jsonPath: .spec.size }
        - { name: Color, type: string, jsonPath: .spec.color, priority: 1 }
      schema:
        openAPIV3Schema:
          type: object
          description: A widget.
          required: [spec]
          properties:
            spec:
              type: object
              description: The wanted state.
              required: [size]
              properties:
                size: { type: integer, minimum: 1, maximum: 9, description: How big it is. }
                color: { type: string, default: red, enum: [red, blue] }
                parts:
                  type: array
                  items: { type: object, required: [name], properties: { name: { type: string }, count: { type: integer } } }
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [name]
            status: { type: object, properties: { size: { type: integer } } }
`

const widget = (spec: string, name = 'one') => `apiVersion: kubectl.example.com/v1
kind: Widget
metadata: { name: ${name} }
spec: { ${spec} }
`

/** Commands for a custom kind. */
export const customizing: Story = {
  name: 'customizing',
  commands: [
    kubectl('create namespace $NS'),
    kubectl('get widgets', { code: 1 }),
    kubectl('apply -f -', {
      input: widget('size: 1'),
      code: 1,
    }),
    kubectl('apply -f -', { input: definition }),
    kubectl('wait --for=condition=Established crd/widgets.kubectl.example.com --timeout=20s'),
    kubectl('get crd widgets.kubectl.example.com'),
    kubectl('get widgets'),
    kubectl('apply -f -', { input: widget('size: 1') }),
    kubectl('apply -f -', { input: widget('size: 1') }),
    kubectl('apply -f -', { input: widget('size: 2') }),
    kubectl('apply -f -', { input: widget('size: 10'), code: 1 }),
    kubectl('apply -f -', { input: widget('color: green'), code: 1 }),
    kubectl('apply -f -', {
      input: widget('size: 2, surprise: 1'),
      code: 1,
      differs: 'The members of an object are in another order.',
    }),
    kubectl('apply -f - --validate=false', { input: widget('size: 2, surprise: 1') }),
    kubectl('get widgets'),
    kubectl('get wd -o wide'),
    kubectl('get widget one -o yaml'),
    kubectl('describe widget one'),
    kubectl('get all'),
    kubectl('scale widget one --replicas=3'),
    kubectl('patch widget one -p {"spec":{"size":4}}', {
      code: 1,
    }),
    kubectl('patch widget one --type=merge -p {"spec":{"size":4}}'),
    kubectl('patch widget one --subresource=status --type=merge -p {"status":{"size":4}}'),
    kubectl('patch widget one --type=json -p [{"op":"replace","path":"/spec/color","value":"pink"}]', {
      code: 1,
    }),
    kubectl('diff -f -', { input: widget('size: 5'), code: 1 }),
    kubectl('apply --server-side -f -', { input: widget('size: 5, parts: [{ name: a, count: 1 }]', 'two') }),
    kubectl('apply --server-side --field-manager=other -f -', {
      input: widget('size: 5, parts: [{ name: b, count: 1 }]', 'two'),
    }),
    kubectl('apply --server-side --field-manager=other -f -', {
      input: widget('size: 6, parts: [{ name: a, count: 2 }]', 'two'),
      code: 1,
    }),
    kubectl("get widget two -o jsonpath='{.spec.parts[*].name}'"),
    kubectl('edit widget one', { editor: 'sed -i s/red/blue/' }),
    kubectl('label widget one tier=x'),
    kubectl('wait --for=jsonpath={.status.size}=4 widget/one --timeout=5s'),
    kubectl('explain widget'),
    kubectl('explain widget.spec'),
    kubectl('explain widget --recursive'),
    kubectl('explain widget.spec.parts --recursive'),
    kubectl('api-resources --api-group=kubectl.example.com'),
    kubectl('delete widget one'),
    kubectl('delete widgets --all'),
    kubectl('delete crd widgets.kubectl.example.com'),
    kubectl('get widgets', { code: 1 }),
  ],
}
