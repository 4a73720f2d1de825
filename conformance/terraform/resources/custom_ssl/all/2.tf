variable "zone_id" {}
variable "certificate" {}
variable "private_key" {}
variable "next_certificate" {}
variable "next_private_key" {}

resource "cloudflare_custom_ssl" "this" {
  zone_id       = var.zone_id
  certificate   = var.next_certificate
  private_key   = var.next_private_key
  bundle_method = "ubiquitous"
  type          = "sni_custom"
}
