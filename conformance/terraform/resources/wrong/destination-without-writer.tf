# says: "pointer":"/destination_conf"
# says: 127.0.0.1:9 refuses connections: nothing listens there; correct the address, or start the receiver (failed step: connect)

variable "zone_id" {}

resource "cloudflare_logpush_job" "this" {
  zone_id          = var.zone_id
  dataset          = "http_requests"
  destination_conf = "https://127.0.0.1:9/logs"
}
