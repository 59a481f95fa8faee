import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const chartFile = `apiVersion: v2
name: greeter
version: 0.1.0
`

const valuesFile = `text: one
`

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: greetings.helm.example.com
spec:
  group: helm.example.com
  scope: Namespaced
  names: { plural: greetings, singular: greeting, kind: Greeting }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, properties: { text: { type: string } } }
`

const configuration = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  text: {{ .Values.text }}
---
apiVersion: v1
kind: Secret
metadata:
  name: {{ .Release.Name }}
stringData:
  text: {{ .Values.text }}
---
apiVersion: helm.example.com/v1
kind: Greeting
metadata:
  name: {{ .Release.Name }}
spec:
  text: {{ .Values.text }}
`

const workload = `apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ .Release.Name }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ .Release.Name }}
rules:
  - { apiGroups: [""], resources: [configmaps], verbs: [get] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ .Release.Name }}
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: {{ .Release.Name }} }
subjects:
  - { kind: ServiceAccount, name: {{ .Release.Name }} }
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
spec:
  selector: { app: {{ .Release.Name }} }
  ports:
    - port: 80
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  selector: { matchLabels: { app: {{ .Release.Name }} } }
  template:
    metadata:
      labels: { app: {{ .Release.Name }} }
    spec:
      serviceAccountName: {{ .Release.Name }}
      containers:
        - name: greeter
          image: greeter
          env:
            - { name: TEXT, value: {{ .Values.text }} }
`

const hook = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-hook
  annotations:
    helm.sh/hook: pre-install,pre-upgrade,pre-rollback,pre-delete
    helm.sh/hook-delete-policy: before-hook-creation
data:
  text: {{ .Values.text }}
`

const files: Readonly<Record<string, string>> = {
  'Chart.yaml': chartFile,
  'values.yaml': valuesFile,
  'crds/greetings.yaml': definition,
  'templates/configuration.yaml': configuration,
  'templates/workload.yaml': workload,
  'templates/hook.yaml': hook,
}

/**
 * Writes a small chart with a definition, a hook and eight objects that repeat the value `text`, and returns
 * its folder.
 */
export async function writeChart(folder: string): Promise<string> {
  const chart = join(folder, 'greeter')
  for (const part of ['crds', 'templates']) await mkdir(join(chart, part), { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(chart, name), text)
  return chart
}
