import { kubectl, type Story } from '../command.js'

const configMap = (data: string, extra = '') => `apiVersion: v1
kind: ConfigMap
metadata: { name: applied, labels: { app: demo } }
data: { ${data} }
${extra}`

const deployment = (image: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - { name: main, image: '${image}', ports: [{ containerPort: 80 }] }
        - { name: side, image: 'example.com/side:v1' }
`

/** Commands around `apply`. */
export const applying: Story = {
  name: 'applying',
  commands: [
    kubectl('create namespace $NS'),
    kubectl('diff -f -', { input: configMap('a: "1"'), code: 1 }),
    kubectl('apply -f - --dry-run=server', { input: configMap('a: "1"') }),
    kubectl('apply -f - --dry-run=client', { input: configMap('a: "1"') }),
    kubectl('apply -f -', { input: configMap('a: "1"') }),
    kubectl('apply -f -', { input: configMap('a: "1"') }),
    kubectl('diff -f -', { input: configMap('a: "1"') }),
    kubectl('diff -f -', { input: configMap('a: "2", b: "1"'), code: 1 }),
    kubectl('apply -f -', { input: configMap('b: "2"') }),
    kubectl('apply -f - -o yaml', { input: configMap('b: "2", c: "3"') }),
    kubectl('apply view-last-applied configmap applied'),
    kubectl('get configmap applied -o jsonpath={.data}'),
    kubectl('apply --server-side -f -', { input: configMap('b: "2", c: "3"') }),
    kubectl('apply --server-side -f - --dry-run=server', { input: configMap('b: "2", c: "3"') }),
    kubectl('apply --server-side --field-manager=other -f -', { input: configMap('b: "4"'), code: 1 }),
    kubectl('apply --server-side --field-manager=other --force-conflicts -f -', {
      input: configMap('b: "4"'),
    }),
    kubectl('apply --server-side -f -', { input: configMap('b: "5", c: "6"'), code: 1 }),
    kubectl('diff --server-side -f -', { input: configMap('b: "4", c: "4"'), code: 1 }),
    kubectl('diff --server-side --force-conflicts -f -', { input: configMap('b: "4", c: "4"'), code: 1 }),
    kubectl('get configmap applied -o yaml --show-managed-fields'),
    kubectl('apply --server-side --force-conflicts -f -', { input: configMap('c: "3"') }),
    kubectl('get configmap applied -o jsonpath={.data}'),
    kubectl('apply -f -', { input: configMap('b: "3"', 'surprise: 1\n'), code: 1 }),
    kubectl('apply -f - --validate=warn', { input: configMap('b: "3"', 'surprise: 1\n') }),
    kubectl('apply -f - --validate=ignore', { input: configMap('b: "3"', 'surprise: 1\n') }),
    kubectl('apply --server-side --force-conflicts -f -', {
      input: configMap('b: "3"', 'surprise: 1\n'),
      code: 1,
    }),
    kubectl('apply -f -', { input: deployment('example.com/web:v1') }),
    kubectl('apply -f -', { input: deployment('example.com/web:v2') }),
    kubectl('apply -f -', { input: deployment('example.com/web:v2') }),
    kubectl('diff -f -', { input: deployment('example.com/web:v3'), code: 1 }),
    kubectl("get deployment web -o jsonpath='{.spec.template.spec.containers[*].image}'"),
    kubectl('apply --server-side --force-conflicts -f -', { input: deployment('example.com/web:v4') }),
    kubectl('get deployment web -o yaml --show-managed-fields'),
    kubectl('apply -f - --prune -l app=demo --prune-allowlist=core/v1/ConfigMap', {
      input: configMap('b: "3"').replace('name: applied', 'name: kept'),
    }),
    kubectl('get configmaps -o name'),
    kubectl('create -f -', { input: configMap('b: "3"').replace('name: applied', 'name: kept'), code: 1 }),
    kubectl('replace -f -', { input: configMap('b: "7"').replace('name: applied', 'name: kept') }),
    kubectl('replace --force -f -', { input: configMap('b: "8"').replace('name: applied', 'name: kept') }),
    kubectl('apply -f -', {
      input: 'apiVersion: v1\nkind: Nonsense\nmetadata: { name: x }\n',
      code: 1,
    }),
    kubectl('apply -f -', {
      input: 'apiVersion: v9\nkind: ConfigMap\nmetadata: { name: x }\n',
      code: 1,
    }),
    kubectl('apply -f -', { input: configMap('b: 3').replace('name: applied', 'name: number'), code: 1 }),
    kubectl('apply -f -', {
      input: configMap('b: "3"').replace('name: applied', 'name: Wrong_Name'),
      code: 1,
    }),
  ],
}
