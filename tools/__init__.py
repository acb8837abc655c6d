"""What development needs beside the product."""
