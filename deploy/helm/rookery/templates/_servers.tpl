{{- /* The broker's settings: (dict "name" FULLNAME "jaas" THE LOGINS). */ -}}
{{- define "rookery.kafkaServer" -}}
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@localhost:9093
listeners=CLIENTS://:9092,CONTROLLER://localhost:9093
advertised.listeners=CLIENTS://{{ .name }}-kafka:9092
listener.security.protocol.map=CLIENTS:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT
controller.listener.names=CONTROLLER
inter.broker.listener.name=CLIENTS
sasl.enabled.mechanisms=PLAIN
sasl.mechanism.inter.broker.protocol=PLAIN
sasl.mechanism.controller.protocol=PLAIN
listener.name.clients.plain.sasl.jaas.config={{ .jaas }}
listener.name.controller.plain.sasl.jaas.config={{ .jaas }}
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:admin
allow.everyone.if.no.acl.found=false
log.dirs=/var/lib/kafka/data/log
auto.create.topics.enable=false
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
{{ end -}}

{{- /* Redis' settings; keys have a time to live, and full memory evicts the keys with the shortest remaining time. */ -}}
{{- define "rookery.redisServer" -}}
dir /data
save ""
appendonly no
maxmemory 128mb
maxmemory-policy volatile-ttl
user default off
user rookery on >{{ . }} ~* &* +@all -@dangerous +info
user health on nopass -@all +ping
{{ end -}}

{{- /* The common parts of the three servers' StatefulSets: (dict "root" $ "part" "kafka"). */ -}}
{{- define "rookery.serverHead" -}}
{{- $name := include "rookery.fullname" .root -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ $name }}-{{ .part }}
  labels:
    {{- include "rookery.labels" . | nindent 4 }}
spec:
  clusterIP: None
  # A server connects to itself by this name before it is ready.
  publishNotReadyAddresses: true
  selector:
    {{- include "rookery.selector" . | nindent 4 }}
  ports:
    - {name: server, port: {{ .port }}, targetPort: server}
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ $name }}-{{ .part }}
  labels:
    {{- include "rookery.labels" . | nindent 4 }}
spec:
  serviceName: {{ $name }}-{{ .part }}
  replicas: 1
  selector:
    matchLabels:
      {{- include "rookery.selector" . | nindent 6 }}
{{- end -}}

{{- define "rookery.serverPod" -}}
metadata:
  labels:
    # constant labels only, so that a chart upgrade does not restart a server
    {{- include "rookery.selector" . | nindent 4 }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- include "rookery.pullSecrets" .root | trim | nindent 2 }}
  terminationGracePeriodSeconds: 60
  securityContext:
    {{- include "rookery.podSecurity" (index .root.Values.builtin .part).user | nindent 4 }}
  {{- include "rookery.placement" (dict "root" .root "service" dict) | trim | nindent 2 }}
{{- end -}}

{{- /* The volume of a server's data: a claim, or an empty folder. */ -}}
{{- define "rookery.serverClaim" -}}
{{- $persistence := .root.Values.builtin.persistence -}}
{{- if $persistence.enabled }}
volumeClaimTemplates:
  - metadata:
      name: data
      labels:
        {{- include "rookery.selector" . | nindent 8 }}
    spec:
      accessModes: [ReadWriteOnce]
      {{- with $persistence.storageClass }}
      storageClassName: {{ . }}
      {{- end }}
      resources: {requests: {storage: {{ (index .root.Values.builtin .part).size }}}}
{{- end }}
{{- end -}}
