# says: "pointer":"/destination_conf"
# says: 's4://' is not known; possible are s3://

variable "zone_id" {}

resource "cloudflare_logpush_job" "this" {
  zone_id          = var.zone_id
  dataset          = "http_requests"
  destination_conf = "s4://bucket/logs?region=eu-west-1"
}
