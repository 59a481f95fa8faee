{{- define "umbrella.labels" -}}
{{ include "shared.labels" . }}
chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end }}
