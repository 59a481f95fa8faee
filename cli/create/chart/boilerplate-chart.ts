import type { ChartContent } from './chart-content.js'

/** A small chart to begin with: a Deployment and a Service of a web server. */
export function boilerplateChart(name: string): ChartContent {
  return {
    chart: name,
    files: {
      'Chart.yaml': `apiVersion: v2
name: ${name}
description: A web server.
type: application
version: 0.1.0
appVersion: '1.29'
`,
      'values.yaml': values,
      'values.schema.json': schema,
      'templates/_helpers.tpl': helpers,
      'templates/deployment.yaml': deployment,
      'templates/service.yaml': service,
      '.helmignore': '.git/\n*.tgz\n*.swp\n',
    },
    spec: { replicaCount: 2 },
  }
}

const values = `# How many Pods there are.
replicaCount: 1
image:
  repository: nginxinc/nginx-unprivileged
  # Default: the chart's appVersion.
  tag: ''
service:
  port: 80
resources: {}
`

const schema = `{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "global": { "type": "object" },
    "replicaCount": { "type": "integer", "minimum": 0, "maximum": 100 },
    "image": {
      "type": "object",
      "additionalProperties": false,
      "properties": { "repository": { "type": "string" }, "tag": { "type": "string" } }
    },
    "service": {
      "type": "object",
      "additionalProperties": false,
      "properties": { "port": { "type": "integer", "minimum": 1, "maximum": 65535 } }
    },
    "resources": { "type": "object" }
  }
}
`

const helpers = `{{- define "labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
`

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
  labels: {{- include "labels" . | nindent 4 }}
spec:
  replicas: {{ .Values.replicaCount }}
  selector:
    matchLabels: {{- include "labels" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "labels" . | nindent 8 }}
    spec:
      containers:
        - name: web
          image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
          ports:
            - name: http
              containerPort: 8080
          {{- with .Values.resources }}
          resources: {{- toYaml . | nindent 12 }}
          {{- end }}
`

const service = `apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
  labels: {{- include "labels" . | nindent 4 }}
spec:
  selector: {{- include "labels" . | nindent 4 }}
  ports:
    - name: http
      port: {{ .Values.service.port }}
      targetPort: http
`
