variable "zone_id" {}
variable "files" {}

resource "cloudflare_logpush_ownership_challenge" "this" {
  zone_id          = var.zone_id
  destination_conf = "file://${var.files}/owned"
}
